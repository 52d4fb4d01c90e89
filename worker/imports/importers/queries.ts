import { and, eq, ne } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  findArticlesByGuid,
  findArticlesByImportKey,
  findTakenSlugs,
} from "#worker/articles/match-queries.ts";
import { findEpisodesByGuid } from "#worker/episodes/guid-queries.ts";
import {
  guidOfOurs,
  MOVED_ARTICLES,
  PlannedArticles,
  type KnownArticles,
} from "#worker/imports/importers/contract.ts";
import { importKeyOf } from "#worker/imports/importers/keys.ts";
import { findEpisodesByEnclosure } from "#worker/imports/feed/queries.ts";
import type { WorkItem } from "#worker/imports/import-type.ts";
import { imports, importItems } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * Which of these were imported before, or are articles of this site, and which slugs are taken.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function findKnownArticles(ctx: Context, input: PlannedArticles): Promise<KnownArticles> {
  requireCapability("edit", ctx);
  const { keys, slugs, guids: given, episodes } = parseInput(PlannedArticles, input);
  const importKeys = await Promise.all(keys.map(importKeyOf));
  const guids = keys.map((key, at) => guidOfOurs(key) ?? (given[at] || null));
  const [imported, same, taken, here] = await Promise.all([
    findArticlesByImportKey(ctx, importKeys),
    findArticlesByGuid(
      ctx,
      guids.filter((guid) => guid !== null),
    ),
    findTakenSlugs(ctx, slugs),
    findEpisodes(ctx, episodes),
  ]);
  const items = importKeys.map((key, at) => imported.get(key) ?? same.get(guids[at] ?? "") ?? null);
  return { items, taken, episodes: here };
}

/** Whether another import of the same article has recorded that it created it. */
export async function isOfAnotherItem({ db }: Context, { id, key }: WorkItem, articleId: number) {
  const [other] = await db
    .select({ id: importItems.id })
    .from(imports)
    .innerJoin(importItems, eq(importItems.importId, imports.id))
    .where(
      and(
        eq(imports.kind, MOVED_ARTICLES),
        eq(importItems.key, key),
        eq(importItems.result, String(articleId)),
        ne(importItems.state, "skipped"),
        ne(importItems.id, id),
      ),
    )
    .limit(1);
  return other !== undefined;
}

/** The episodes imported from a site's podcast feed, by their GUIDs or their audio's old address. */
async function findEpisodes(ctx: Context, episodes: { guid: string; audio: string }[]) {
  if (episodes.length === 0) return [];
  const [byGuid, byEnclosure] = await Promise.all([
    findEpisodesByGuid(
      ctx,
      episodes.map(({ guid }) => guid),
    ),
    findEpisodesByEnclosure(
      ctx,
      episodes.map(({ audio }) => audio),
    ),
  ]);
  return episodes.map(({ guid, audio }) => byGuid.get(guid)?.id ?? byEnclosure.get(audio) ?? null);
}
