import { and, desc, lt, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Held } from "#worker/people/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** A noun's data about the person with a (lowercased) address. */
export type Holding = {
  /** SQL: how many there are. */
  count: (email: string) => SQL<number>;
  /** Newest first; `key` is the cursor of the next page. */
  read: (ctx: Context, email: string, page: HeldPage) => Promise<(Held & { key: number })[]>;
};
export type HeldPage = { before: number | null; limit: number };

type Personal<Row> = {
  table: SQLiteTable;
  /** Orders the rows, oldest first. */
  key: SQLiteColumn | SQL<number>;
  /** SQL: the row is about the person. */
  isAbout(email: string): SQL;
  select(ctx: Context): Query<Row>;
  toHeld(row: Row): Omit<Held, "id"> & { key: number; id?: string };
};

type Query<Row> = {
  where(condition: SQL | undefined): { orderBy(order: SQL): { limit(rows: number): PromiseLike<Row[]> } };
};

export const holdingOf = <Row>({ table, key, isAbout, select, toHeld }: Personal<Row>): Holding => ({
  count: (email) => sql<number>`(select count(*) from ${table} where ${isAbout(email)})`,
  async read(ctx, email, { before, limit }) {
    const isOlder = before === null ? undefined : lt(key as SQLWrapper, before);
    const rows = await select(ctx)
      .where(and(isAbout(email), isOlder))
      .orderBy(desc(key))
      .limit(limit);
    return rows.map((row) => {
      const held = toHeld(row);
      return { id: String(held.key), ...held };
    });
  },
});

/** Two sources of one kind, whose keys differ: what is in use, and what is in the bin. */
export const bothOf = (one: Holding, other: Holding): Holding => ({
  count: (email) => sql<number>`(${one.count(email)} + ${other.count(email)})`,
  async read(ctx, email, page) {
    const lists = await Promise.all([one, other].map((holding) => holding.read(ctx, email, page)));
    return lists
      .flat()
      .toSorted((a, b) => b.key - a.key)
      .slice(0, page.limit);
  },
});

/** A row with its times as ISO 8601. */
export const inWriting = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
