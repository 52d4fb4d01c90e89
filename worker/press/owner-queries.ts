import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { listMatch } from "#worker/discovery/list-search.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { renderMarkdown } from "#worker/platform/text/markdown.ts";
import {
  NewPressItem,
  PressChange,
  pressDefaults,
  PressPreviewInput,
  pressStatuses,
  pressTypes,
  type PressListQuery,
  type PressRow,
} from "#worker/press/contract.ts";
import { pressNoun, renderedColumns } from "#worker/press/noun.ts";
import { newestFirst, toPressItem } from "#worker/press/queries.ts";
import { pressItems } from "#worker/press/table.ts";

const LIST_ROWS = 30;

/**
 * Every item, published or not, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listPressItems(ctx: Context, { before, q = "", type, status }: PressListQuery = {}) {
  requireCapability("edit", ctx);
  const match = await listMatch(ctx, "press_search", { q, filters: [] });
  // A query without a word, such as "…", finds nothing.
  if (match === null) return pageOf<PressRow>([], LIST_ROWS, () => "");
  const isFound = match
    ? sql`${pressItems.id} in (select rowid from press_search where press_search match ${match})`
    : undefined;
  const isOlder = before === undefined ? undefined : olderThan(before, pressItems.date, pressItems.id);
  const types = type ? [type] : pressTypes;
  const statuses = status ? [status] : pressStatuses;
  // One statement for each type and status: each reads no more of its index than one page.
  const lists = await Promise.all(
    types.flatMap((each) =>
      statuses.map((one) =>
        selectRows(
          ctx,
          and(eq(pressItems.type, each), eq(pressItems.published, one === "published"), isFound, isOlder),
        ),
      ),
    ),
  );
  const rows: PressRow[] = lists.flat().toSorted(newestFirst).map(toPressItem);
  return pageOf(rows, LIST_ROWS, ({ date, id }) => cursorOf(date, id));
}

const selectRows = ({ db }: Context, which: SQL | undefined) =>
  db
    .select({
      id: pressItems.id,
      type: pressItems.type,
      title: pressItems.title,
      outlet: pressItems.outlet,
      date: pressItems.date,
      published: pressItems.published,
    })
    .from(pressItems)
    .where(which)
    .orderBy(desc(pressItems.date), desc(pressItems.id))
    .limit(LIST_ROWS + 1);

/**
 * This text as the item's page shows it: sanitised HTML.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function previewPressItem(ctx: Context, input: PressPreviewInput) {
  requireCapability("edit", ctx);
  const { content } = parseInput(PressPreviewInput, input);
  const { html } = renderMarkdown(content, await findEmbedded(ctx, content));
  return { html };
}

/** The daily sweep deletes the pictures in the text of a deleted item. */
export const pressList = shortList({
  table: pressItems,
  one: "media item",
  noun: pressNoun,
  tag: "press",
  shown: { column: "published", value: true },
  New: NewPressItem,
  Change: PressChange,
  defaults: pressDefaults,
  toColumns: async (ctx, { date, content, ...fields }) => ({
    ...fields,
    ...(content !== undefined && {
      content,
      ...renderedColumns({ content }, await findEmbedded(ctx, content)),
    }),
    ...(date !== undefined && { date: new Date(date) }),
  }),
  toEdited: (_ctx, { date, contentHtml: _html, contentText: _text, embeddedFileIds: _files, ...values }) => ({
    values: { ...values, date: date.toISOString().slice(0, 10) },
  }),
});

export const readPressItemForEdit = pressList.readForEdit;
