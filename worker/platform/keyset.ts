import { and, eq, lt, or, type AnyColumn } from "drizzle-orm";
import { AppError } from "#worker/platform/errors.ts";

/** Lists that go newest first are paged by key: a cursor names the last row seen by its date and id. */
export const cursorOf = (row: { publishedAt: number; id: number }) => `${row.publishedAt}-${row.id}`;

/** True of the rows that come after the one that a cursor names. */
export function olderThan(cursor: string, publishedAt: AnyColumn, id: AnyColumn) {
  const [, time, lastId] = /^(\d{1,15})-(\d{1,10})$/.exec(cursor) ?? [];
  if (!time || !lastId) throw new AppError("not_found", "There is no such page of the list.");
  const last = new Date(Number(time));
  return or(lt(publishedAt, last), and(eq(publishedAt, last), lt(id, Number(lastId))));
}
