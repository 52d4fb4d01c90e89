import { requireCapability } from "#worker/access/capabilities.ts";
import {
  findArticlesByGuid,
  findArticlesByImportKey,
  findTakenSlugs,
} from "#worker/articles/match-queries.ts";
import { findEpisodesByGuid } from "#worker/episodes/guid-queries.ts";
import { findEpisodesByEnclosure } from "#worker/imports/feed/queries.ts";
import { guidOfOurs, PlannedArticles, type KnownArticles } from "#worker/imports/importers/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { sha256 } from "#worker/platform/data/random.ts";

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

/** The import key of an article, derived from its key at its place: the same for every user who imports it. */
export const importKeyOf = async (key: string) => `elsewhere ${await sha256(key)}`;
