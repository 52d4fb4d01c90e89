import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { deleteArticle } from "#worker/articles/commands.ts";
import { findPresentArticles } from "#worker/articles/match-queries.ts";
import { eraseItem } from "#worker/bin/commands.ts";
import { isInBinSince } from "#worker/bin/queries.ts";
import { findCommented } from "#worker/comments/queries.ts";
import { deleteEpisode } from "#worker/episodes/commands.ts";
import { findPresentEpisodes } from "#worker/episodes/guid-queries.ts";
import type { UndoPlan } from "#worker/imports/contract.ts";
import { JOINED } from "#worker/imports/feed/import-episode.ts";
import { readImport, requireKind } from "#worker/imports/import-queries.ts";
import type { Brought, ImportKind, Outcome } from "#worker/imports/import-type.ts";
import { importItems } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { findChangedItems } from "#worker/revisions/queries.ts";

const nouns = {
  article: { findPresent: findPresentArticles, remove: deleteArticle },
  episode: { findPresent: findPresentEpisodes, remove: deleteEpisode },
};

/** Titles of changed items that the owner is shown. */
const SHOWN_TITLES = 20;
const STAYS = "Changed or commented on since the import, so it stays.";
const STAYS_IN_BIN = "Changed or commented on since the import, and then deleted: it stays in the bin.";

/** SQL: the import created it, and no undo has deleted it. What existed before the import is `skipped`. */
export const isBrought = sql`${importItems.result} is not null and ${importItems.state} <> 'skipped'`;

/**
 * What undoing a finished import would delete. Items that were changed or commented on remain.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readUndo(ctx: Context, importId: number): Promise<UndoPlan> {
  const { kind, state } = await readImport(ctx, importId);
  const { brings, findCreated } = requireKind(ctx, kind);
  const nothing = { count: 0, changed: { count: 0, titles: [] } };
  if (!brings || !(state === "done" || state === "cancelled")) return nothing;
  const [recorded, unrecorded] = await Promise.all([
    ctx.db
      .select({ id: sql<number>`cast(${importItems.result} as integer)`, title: importItems.title })
      .from(importItems)
      .where(and(eq(importItems.importId, importId), isBrought))
      .orderBy(asc(importItems.id)),
    findUnrecorded(ctx, importId, findCreated),
  ]);
  const rows = [...recorded, ...unrecorded];
  const { present, changed } = await findStates(
    ctx,
    brings,
    rows.map(({ id }) => id),
  );
  const staying = rows.filter(({ id }) => changed.has(id));
  return {
    count: present.size - staying.length,
    changed: {
      count: staying.length,
      titles: staying.slice(0, SHOWN_TITLES).map(({ title }) => title),
    },
  };
}

/**
 * What items created whose work was interrupted before it stored the result. A cancelled import has such items, which no
 * message resumes.
 */
export async function findUnrecorded(ctx: Context, importId: number, find: ImportKind["findCreated"]) {
  if (!find) return [];
  const rows = await ctx.db
    .select({
      id: importItems.id,
      key: importItems.key,
      title: importItems.title,
      saved: importItems.saved,
    })
    .from(importItems)
    .where(
      and(
        eq(importItems.importId, importId),
        inArray(importItems.state, ["waiting", "working"]),
        isNull(importItems.result),
        isNotNull(importItems.saved),
      ),
    )
    .orderBy(asc(importItems.id));
  const created = await find(ctx, rows);
  return rows.flatMap(({ id: itemId, title }) => {
    const id = created.get(itemId);
    return id === undefined ? [] : [{ itemId, title, id }];
  });
}

/** Which of these exist, and which of those were changed or commented on. */
async function findStates(ctx: Context, noun: Brought, ids: number[]) {
  const [present, revised, commented] = await Promise.all([
    nouns[noun].findPresent(ctx, ids),
    findChangedItems(ctx, noun, ids),
    findCommented(ctx, noun, ids),
  ]);
  const touched = revised.union(commented);
  return { present, touched, changed: touched.intersection(present) };
}

type Undone = {
  result: string | null;
  message: string | null;
  /** When the undo began. */
  since: Date;
};

/**
 * Deletes what an item created, unless it was changed since. For good: nothing is lost that another import would not bring,
 * and the bin, which reserves GUIDs and addresses, would refuse that import.
 */
export async function undoItem(
  ctx: Context,
  brings: Brought | undefined,
  { result, message, since }: Undone,
): Promise<Outcome> {
  if (!brings || result === null) return { is: "skipped", message: "Nothing was imported." };
  const id = Number(result);
  const key = `${brings}:${id}`;
  const { present, touched } = await findStates(ctx, brings, [id]);
  if (present.has(id)) {
    if (touched.has(id)) return { is: "done", message: STAYS };
    await nouns[brings].remove(ctx, id);
    await eraseItem(ctx, key);
  } else if (await isInBinSince(ctx, key, since)) {
    // By the owner, or by a message that was interrupted before it erased the item.
    if (touched.has(id)) return { is: "done", message: STAYS_IN_BIN };
    await eraseItem(ctx, key);
  }
  return { is: "undone", message: message?.includes(JOINED) ? "Its article stays a draft." : undefined };
}
