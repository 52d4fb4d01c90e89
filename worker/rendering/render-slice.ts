import { and, asc, eq, getTableColumns, gt, inArray, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import type { Noun } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Pictures } from "#worker/platform/text/markdown.ts";

/** Maximum items of a slice, and maximum characters of their texts; a longer text is its own slice. */
const SLICE = 20;
const SLICE_CHARACTERS = 500_000;

type Items = SQLiteTable & { id: SQLiteColumn };

type Row = { id: number };

/** A noun whose Markdown, or other source, is stored as HTML or in another readable form, too. */
export type StoredHtml<Item extends Row = Row> = {
  table: Items;
  /** The name of the column of the source. */
  markdown: string;
  /** Further columns that the derived ones depend on. */
  alsoFrom?: string[];
  /** The columns derived from these. */
  render(item: Item, pictures: Pictures): Record<string, unknown>;
  /** The statements for what other tables have of a changed item, whose columns are `made`. */
  follow?(ctx: Context, item: Item, made: Record<string, unknown>): BatchItem<"sqlite">[];
  /** The statements that expire the answers which show these items; `which` is SQL. */
  changed: (ctx: Context, which: SQL) => BatchItem<"sqlite">[];
};

/** What the nouns store as HTML, by the name of its pass. Pages have no number, by which a pass proceeds. */
export function storedHtmlOf(nouns: readonly Noun[]): Record<string, StoredHtml> {
  const own = nouns.flatMap(({ table, files, text, changed, otherTexts }) => [
    ...(text && files && files.key === undefined
      ? [
          [
            files.kind,
            {
              table: table as Items,
              markdown: text.column,
              alsoFrom: text.alsoFrom,
              render: text.derive,
              changed: (ctx: Context, which: SQL) => [...(changed?.(ctx, which) ?? [])],
            },
          ] as const,
        ]
      : []),
    ...Object.entries(otherTexts ?? {}),
  ]);
  return Object.fromEntries(own);
}

export type RenderedItem<Item extends Row = Row> = {
  item: Item;
  isChanged: boolean;
  /** Why it was not rendered. */
  error: unknown;
};

/** The ids of the next slice of a table, in their order. */
export async function nextSlice(
  { db }: Context,
  table: Items,
  markdown: SQLiteColumn,
  after: number,
  most = SLICE,
) {
  const rows = await db
    .select({ id: table.id, length: sql<number>`length(${markdown})` })
    .from(table)
    .where(gt(table.id, after))
    .orderBy(asc(table.id))
    .limit(most);
  let left = SLICE_CHARACTERS;
  const fitting = rows.filter(({ length }, index) => (left -= length) >= 0 || index === 0);
  return fitting.map(({ id }) => Number(id));
}

/**
 * Renders the next items again from their Markdown. Writes only changes, and none counts as edited. Returns them, and
 * the last one's id; null if there are none.
 */
export async function renderSlice<Item extends Row>(
  ctx: Context,
  { table, markdown, alsoFrom = [], render, changed, ...noun }: StoredHtml<Item>,
  after: number,
  most?: number,
): Promise<{ items: RenderedItem<Item>[]; next: number | null }> {
  const column = getTableColumns(table)[markdown]!;
  const ids = await nextSlice(ctx, table, column, after, most);
  const rows = (await ctx.db
    .select()
    .from(table)
    .where(inArray(table.id, ids))
    .orderBy(asc(table.id))) as unknown as Item[];
  const pictures = await findEmbeddedIn(
    ctx,
    rows.map((row) => String(row[markdown as keyof Item])),
  );
  const updates: BatchItem<"sqlite">[] = [];
  const changedIds: number[] = [];
  const items = rows.map((item): RenderedItem<Item> => {
    try {
      const made = render(item, pictures);
      const isChanged = Object.entries(made).some(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(item[name as keyof Item]),
      );
      if (isChanged) {
        updates.push(
          updateOf(ctx, table, [markdown, ...alsoFrom], item, made),
          ...(noun.follow?.(ctx, item, made) ?? []),
        );
        changedIds.push(item.id);
      }
      return { item, isChanged, error: null };
    } catch (error) {
      return { item, isChanged: false, error };
    }
  });
  const [first, ...rest] = updates;
  // As JSON in one parameter: D1 allows 100 per statement.
  const are = sql`${table.id} in (select value from json_each(${JSON.stringify(changedIds)}))`;
  if (first) await ctx.db.batch([first, ...rest, ...changed(ctx, are)]);
  return { items, next: ids.at(-1) ?? null };
}

/**
 * Does nothing if one of the columns in `from` was changed in between, since that change renders the item. A save that
 * leaves them unchanged does not.
 */
function updateOf<Item extends Row>(
  { db }: Context,
  table: Items,
  from: string[],
  item: Item,
  made: Record<string, unknown>,
) {
  const columns = getTableColumns(table);
  const isUnchanged = from.map((name) => eq(columns[name]!, item[name as keyof Item]));
  return db
    .update(table)
    .set(made)
    .where(and(eq(table.id, item.id), ...isUnchanged));
}
