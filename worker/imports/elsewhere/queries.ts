import { requireCapability } from "#worker/access/capabilities.ts";
import {
  findArticlesByGuid,
  findArticlesByImportKey,
  findTakenSlugs,
} from "#worker/articles/match-queries.ts";
import { guidOfOurs, PlannedArticles, type KnownArticles } from "#worker/imports/elsewhere/contract.ts";
import { importKeyOf } from "#worker/imports/elsewhere/keys.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";

/**
 * Which of these were imported before, or are articles of this site, and which addresses are taken.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function findKnownArticles(ctx: Context, input: PlannedArticles): Promise<KnownArticles> {
  requireCapability("edit", ctx);
  const { keys, slugs } = parseInput(PlannedArticles, input);
  const importKeys = await Promise.all(keys.map(importKeyOf));
  const guids = keys.map(guidOfOurs);
  const [imported, same, taken] = await Promise.all([
    findArticlesByImportKey(ctx, importKeys),
    findArticlesByGuid(
      ctx,
      guids.filter((guid) => guid !== null),
    ),
    findTakenSlugs(ctx, slugs),
  ]);
  const items = importKeys.map((key, at) => imported.get(key) ?? same.get(guids[at] ?? "") ?? null);
  return { items, taken };
}
