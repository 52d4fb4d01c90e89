import { fillPlaceholders, sql, type Placeholder, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { Context } from "#worker/platform/context.ts";

type Written<Rows> = { prepare: () => { all: (values?: Record<string, unknown>) => Promise<Rows> } };

/** Only builds SQL; each request has its own client to run it. */
const nowhere = drizzle({ prepare: () => undefined } as unknown as D1Database);

/**
 * A read whose SQL is built on first use, once per isolate: drizzle takes as long to build a statement as D1 to answer
 * it. Parameters are named, and bound without the column's encoder (a time in milliseconds, not a Date).
 */
export function prepared<Name extends string, Rows>(names: Name[], write: Write<Name, Rows>) {
  const statementOf = onFirstUse(names, write);
  return ({ db }: Pick<Context, "db">, values: Values<Name>): Promise<Rows> => {
    const { template, sql: text } = statementOf();
    const stmt = { value: (db as Client).$client.prepare(text) };
    return (Object.create(template, { stmt }) as typeof template).all(values);
  };
}

/**
 * The same for thousands of rows: they are as D1 returns them, by the names that `.as` gives to each field, since
 * drizzle's mapping of every value takes as long as all the rest of such a request.
 */
export function preparedRows<Name extends string, Row>(names: Name[], write: Write<Name, Row[]>) {
  const statementOf = onFirstUse(names, write);
  return async ({ db }: Pick<Context, "db">, values: Values<Name>): Promise<Row[]> => {
    const { sql: text, params } = statementOf();
    const statement = (db as Client).$client.prepare(text).bind(...fillPlaceholders(params, values));
    return (await statement.all<Row>()).results;
  };
}

/** SQL: a condition that SQLite tests on each row instead of choosing an index by it, which would read each row twice. */
export const byId = (condition: SQL) => sql`+(${condition})`;

type Write<Name extends string, Rows> = (
  db: DrizzleD1Database,
  given: Record<Name, Placeholder>,
) => Written<Rows>;
type Values<Name extends string> = Record<Name, string | number>;

function onFirstUse<Name extends string, Rows>(names: Name[], write: Write<Name, Rows>) {
  const prepare = () => {
    const given = {} as Record<Name, Placeholder>;
    for (const name of names) given[name] = sql.placeholder(name);
    const template = write(nowhere, given).prepare();
    const { getQuery } = template as unknown as { getQuery: () => { sql: string; params: unknown[] } };
    return { template, ...getQuery.call(template) };
  };
  let statement: ReturnType<typeof prepare> | undefined;
  return () => (statement ??= prepare());
}

type Client = DrizzleD1Database & { $client: D1Database };
