import { and, desc, eq, max } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { pressTypes, type PressType } from "#worker/press/contract.ts";
import { pressItems } from "#worker/press/table.ts";

const pressColumns = {
  id: pressItems.id,
  type: pressItems.type,
  title: pressItems.title,
  summary: pressItems.summary,
  outlet: pressItems.outlet,
  mediaType: pressItems.mediaType,
  date: pressItems.date,
  link: pressItems.link,
  contentHtml: pressItems.contentHtml,
};

const LIST_ROWS = 12;

type Page = {
  /** Both types when absent. */
  type?: PressType;
  /** The previous page's `next`. */
  before?: string;
  limit?: number;
};

export const toPressItem = <Row extends { date: Date }>(row: Row) => ({ ...row, date: row.date.getTime() });

/**
 * Published items, newest first.
 * @throws `not_found` for a malformed cursor
 */
export async function listPress({ db, dependsOn }: Context, { type, before, limit = LIST_ROWS }: Page = {}) {
  dependsOn("press");
  const isOlder = before === undefined ? undefined : olderThan(before, pressItems.date, pressItems.id);
  const newestOf = (each: PressType) =>
    db
      .select(pressColumns)
      .from(pressItems)
      .where(and(eq(pressItems.type, each), eq(pressItems.published, true), isOlder))
      .orderBy(desc(pressItems.date), desc(pressItems.id))
      .limit(limit + 1);
  // One statement per type: each reads no more of its index than one page.
  const lists = await Promise.all((type ? [type] : pressTypes).map(newestOf));
  const rows = lists.flat().toSorted(newestFirst);
  return pageOf(rows.map(toPressItem), limit, ({ date, id }) => cursorOf(date, id));
}

type TypeQuery = {
  type: PressType;
  before?: string;
  /** The id of an item that the page must contain. */
  item?: number;
};

/**
 * A page of one type. When `item` is not on the first page, the page begins with it.
 * @throws `not_found` for a malformed cursor
 */
export async function listPressOfKind(ctx: Context, { type, before, item }: TypeQuery) {
  const page = { ...(await listPress(ctx, { type, before })), isFirst: before === undefined };
  if (!page.isFirst || item === undefined || page.items.some(({ id }) => id === item)) return page;
  const above = await findCursorAbove(ctx, type, item);
  return above ? { ...(await listPress(ctx, { type, before: above })), isFirst: false } : page;
}

async function findCursorAbove({ db }: Context, type: PressType, id: number) {
  const [item] = await db
    .select({ date: pressItems.date })
    .from(pressItems)
    .where(and(eq(pressItems.id, id), eq(pressItems.type, type), eq(pressItems.published, true)));
  return item ? cursorOf(item.date.getTime(), id + 1) : null;
}

/** The last change of the published items; undefined if there are none. */
export async function readPressDate({ db }: Context) {
  const [row] = await db
    .select({ changedAt: max(pressItems.updatedAt) })
    .from(pressItems)
    .where(eq(pressItems.published, true));
  return row?.changedAt ?? undefined;
}

type Dated = { date: Date; id: number };

export const newestFirst = (a: Dated, b: Dated) => b.date.getTime() - a.date.getTime() || b.id - a.id;
