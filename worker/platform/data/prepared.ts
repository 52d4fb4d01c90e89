import { sql, type Placeholder } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import type { Context } from "#worker/platform/context.ts";

type Written<Rows> = { prepare: () => { all: (values?: Record<string, unknown>) => Promise<Rows> } };

/** Only builds SQL; each request has its own client to run it. */
const nowhere = drizzle({ prepare: () => undefined } as unknown as D1Database);

/**
 * A read whose SQL is built on first use, once per isolate: drizzle takes as long to build a statement as D1 to answer
 * it. Parameters are named, and bound without the column's encoder (a time in milliseconds, not a Date).
 */
export function prepared<Name extends string, Rows>(
  names: Name[],
  write: (db: DrizzleD1Database, given: Record<Name, Placeholder>) => Written<Rows>,
) {
  let statement: { template: ReturnType<Written<Rows>["prepare"]>; text: string } | undefined;
  const prepare = () => {
    const given = {} as Record<Name, Placeholder>;
    for (const name of names) given[name] = sql.placeholder(name);
    const template = write(nowhere, given).prepare();
    return { template, text: (template as unknown as { getQuery: () => { sql: string } }).getQuery().sql };
  };
  return ({ db }: Pick<Context, "db">, values: Record<Name, string | number>): Promise<Rows> => {
    const { template, text } = (statement ??= prepare());
    const stmt = { value: (db as Client).$client.prepare(text) };
    return (Object.create(template, { stmt }) as typeof template).all(values);
  };
}

type Client = DrizzleD1Database & { $client: D1Database };
