import { and, desc, eq } from "drizzle-orm";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { cursorOf, olderThan } from "#worker/platform/keyset.ts";
import { renderMarkdown } from "#worker/platform/markdown.ts";
import { pressTypes, type NewPressItem, type PressItem, type PressType } from "#worker/press/contract.ts";
import { pressItems } from "#worker/press/table.ts";

const publicColumns = {
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
  /** Both kinds when it is not said. */
  type?: PressType;
  /** A former answer's `next`. */
  before?: string;
  limit?: number;
};

/** Published items, newest first. */
export async function listPress({ db, dependsOn }: Context, { type, before, limit = LIST_ROWS }: Page = {}) {
  dependsOn("press");
  const isOlder = before === undefined ? undefined : olderThan(before, pressItems.date, pressItems.id);
  const newestOf = (kind: PressType) =>
    db
      .select(publicColumns)
      .from(pressItems)
      .where(and(eq(pressItems.type, kind), eq(pressItems.published, true), isOlder))
      .orderBy(desc(pressItems.date), desc(pressItems.id))
      .limit(limit + 1);
  // One statement a kind: each reads no further in its index than the page is long.
  const lists = await Promise.all((type ? [type] : pressTypes).map(newestOf));
  const rows = lists.flat().toSorted(newestFirst);
  const items = rows.slice(0, limit).map((row): PressItem => ({ ...row, date: row.date.getTime() }));
  const last = items.at(-1);
  return {
    items,
    next: rows.length > limit && last ? cursorOf({ publishedAt: last.date, id: last.id }) : null,
  };
}

type OfKind = {
  type: PressType;
  before?: string;
  /** An item that is to be on the page, by id. */
  item?: number;
};

/** A page of one kind: where its item is none of the newest, the page begins with it. */
export async function listPressOfKind(ctx: Context, { type, before, item }: OfKind) {
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
  return item ? cursorOf({ publishedAt: item.date.getTime(), id: id + 1 }) : null;
}

type Placed = { date: Date; id: number };
const newestFirst = (a: Placed, b: Placed) => b.date.getTime() - a.date.getTime() || b.id - a.id;

export async function createPressItem(ctx: Context, { date, ...input }: NewPressItem) {
  requireCapability("edit", ctx);
  const content = renderMarkdown(input.content, await findEmbedded(ctx, input.content));
  const insert = ctx.db
    .insert(pressItems)
    .values({
      ...input,
      date: new Date(date),
      contentHtml: content.html,
      contentText: content.text,
      embeddedFileIds: embeddedFileIdsOf(input.content),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning({ id: pressItems.id });
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "press")]);
  return { id: created!.id };
}
