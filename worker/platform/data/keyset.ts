import { and, eq, gt, lt, or, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { AppError } from "#worker/platform/errors.ts";

/** Keyset pagination, newest first. A cursor is the date and id of a page's last row, or its id alone. */
export const cursorOf = (date: number, id: number) => `${date}-${id}`;

/** The first `limit` of rows that were read with `limit + 1`. `next` is the cursor of the page that follows. */
export function pageOf<Row>(rows: Row[], limit: number, cursor: (last: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursor(last) : null };
}

/** A list that is bounded and has one page. */
export const wholeList = <Row>(items: Row[]) => ({ items, next: null });

/**
 * SQL: the rows after the one that a cursor of `cursorOf` names.
 * @throws `not_found` for a malformed cursor
 */
export function olderThan(cursor: string, date: AnyColumn | SQL, id: AnyColumn | SQL) {
  const [time, lastId] = partsOf(cursor);
  return or(lt(sql`${date}`, time), and(eq(sql`${date}`, time), lt(sql`${id}`, lastId)));
}

function partsOf(cursor: string): [time: number, id: number] {
  const [, time, id] = /^(\d{1,15})-(\d{1,10})$/.exec(cursor) ?? [];
  if (!time || !id) throw noSuchPage();
  return [Number(time), Number(id)];
}

/**
 * SQL: the same for a list in ascending order.
 * @throws `not_found` for a malformed cursor
 */
export function newerThan(cursor: string, date: AnyColumn | SQL, id: AnyColumn | SQL) {
  const [time, lastId] = partsOf(cursor);
  return or(gt(sql`${date}`, time), and(eq(sql`${date}`, time), gt(sql`${id}`, lastId)));
}

/**
 * SQL: the same for a list in the order of its ids, whose cursor is an id.
 * @throws `not_found` for a malformed cursor
 */
export function olderThanId(cursor: string, id: AnyColumn) {
  if (!/^\d{1,15}$/.test(cursor)) throw noSuchPage();
  return lt(id, Number(cursor));
}

export const noSuchPage = () => new AppError("not_found", "There is no such page of the list.");
