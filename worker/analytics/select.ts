import { sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";

/** A statement of its own words with the columns that it has, for a batch, which `db.all` cannot be part of. */
export function selectRows<Row extends object>(
  { db }: Pick<Context, "db">,
  columns: (keyof Row & string)[],
  query: SQL,
) {
  const fields = Object.fromEntries(columns.map((name) => [name, sql`${sql.identifier(name)}`]));
  return db.select(fields as { [Name in keyof Row]: SQL<Row[Name]> }).from(sql`(${query}) as report`);
}
