import { sql, type AnyColumn } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LAST_PLACE } from "#worker/platform/contract.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { AppError } from "#worker/platform/errors.ts";

/** A table of a short list that its owner orders. */
type Ordered = SQLiteTable & Record<"id" | "sortOrder" | "updatedAt", AnyColumn>;

/** SQL: the sort order of a new row that comes after all others; 0 if it is the first. */
export const placeAtEnd = (table: Ordered) =>
  sql<number>`(select min(coalesce(max(${table.sortOrder}) + 1, 0), ${LAST_PLACE}) from ${table})`;

/** The same, read for a form. */
export async function readPlaceAtEnd({ db }: Context, table: Ordered) {
  const [row] = await db.select({ place: placeAtEnd(table) }).from(sql`(select 1)`);
  return row!.place;
}

type Order = {
  table: Ordered;
  /** The rows in the error message: "ventures". */
  noun: string;
  /** The cache tag of the pages that show the list. */
  tag: string;
  /** Every row's id once, in their new order. */
  ids: number[];
};

/**
 * Numbers the rows of a table from 1 in the given order. The statement checks that `ids` names each row once: a row
 * added or deleted in between refuses the whole order. A moved row gets a new `updatedAt`, since an open form has its
 * former position. Returns the list as `read` reads it afterwards.
 * @throws `conflict` if rows were added or deleted in between
 */
export async function numberInOrder<List>(
  ctx: Context,
  { table, noun, tag, ids }: Order,
  read: (ctx: Context) => Promise<List>,
): Promise<List> {
  const given = JSON.stringify(ids);
  const isWhole = sql`(select count(*) from ${table}) = json_array_length(${given})
    and not exists (select 1 from ${table} where id not in (select value from json_each(${given})))`;
  const place = sql`(select key + 1 from json_each(${given}) where value = ${table.id})`;
  const updatedAt = sql`max(${ctx.now.getTime()}, ${table.updatedAt} + 1)`;
  const move = ctx.db
    .update(table)
    .set({ sortOrder: place, updatedAt })
    .where(sql`${isWhole} and ${table.sortOrder} <> ${place}`);
  const whole = ctx.db.select({ isWhole: sql<number>`${isWhole}` }).from(sql`(select 1)`);
  const expired = changed(ctx, sql`select ${tag} as tag where ${isWhole}`);
  const [[, , [answer]], list] = await writeAndRead(ctx, (db) => db.batch([move, expired, whole]), read);
  if (answer?.isWhole) return list;
  throw new AppError("conflict", `The ${noun} have changed. Reload the page and try again.`);
}
