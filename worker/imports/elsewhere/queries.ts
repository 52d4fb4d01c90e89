import { requireCapability } from "#worker/access/capabilities.ts";
import { findArticlesByImportKey, findTakenSlugs } from "#worker/articles/match-queries.ts";
import { PlannedArticles, type KnownArticles } from "#worker/imports/elsewhere/contract.ts";
import { importKeyOf } from "#worker/imports/elsewhere/keys.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";

/**
 * Which of these were imported before, and which addresses are taken.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function findKnownArticles(ctx: Context, input: PlannedArticles): Promise<KnownArticles> {
  requireCapability("edit", ctx);
  const { keys, slugs } = parseInput(PlannedArticles, input);
  const importKeys = await Promise.all(keys.map(importKeyOf));
  const [found, taken] = await Promise.all([
    findArticlesByImportKey(ctx, importKeys),
    findTakenSlugs(ctx, slugs),
  ]);
  return { items: importKeys.map((key) => found.get(key) ?? null), taken };
}
