import { sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";

/** A raw SQL statement with its columns, for use in a batch, where `db.all` is not possible. */
export function selectRows<Row extends object>(
  { db }: Pick<Context, "db">,
  columns: (keyof Row & string)[],
  query: SQL,
) {
  const fields = Object.fromEntries(columns.map((name) => [name, sql`${sql.identifier(name)}`]));
  return db.select(fields as { [Name in keyof Row]: SQL<Row[Name]> }).from(sql`(${query}) as report`);
}
