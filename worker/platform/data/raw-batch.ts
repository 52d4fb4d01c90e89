import type { SQL } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";

const dialect = new SQLiteAsyncDialect();

/** Runs statements in one transaction. Drizzle's own batch does not bind the parameters of raw SQL. */
export async function runTogether({ db }: Pick<Context, "db">, statements: readonly SQL[]) {
  if (statements.length === 0) return;
  const { $client: client } = db as DrizzleD1Database & { $client: D1Database };
  await client.batch(
    statements.map((statement) => {
      const { sql, params } = dialect.sqlToQuery(statement);
      return client.prepare(sql).bind(...params);
    }),
  );
}
