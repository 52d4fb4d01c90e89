import { requireCapability } from "#worker/access/capabilities.ts";
import { findArticlesBySource } from "#worker/articles/match-queries.ts";
import { KnownPosts } from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * The ids of the articles that these posts already are, in the same order; null for others.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function findKnownPosts(ctx: Context, input: KnownPosts): Promise<{ items: (number | null)[] }> {
  requireCapability("edit", ctx);
  const { sourceUrls } = parseInput(KnownPosts, input);
  const found = await findArticlesBySource(ctx, sourceUrls);
  const ids = new Map(found.map(({ id, sourceUrl }) => [sourceUrl, id]));
  return { items: sourceUrls.map((sourceUrl) => ids.get(sourceUrl) ?? null) };
}

/** The article that a post already is; null if there is none. */
export async function findArticleOf(ctx: Context, sourceUrl: string) {
  const [known] = await findArticlesBySource(ctx, [sourceUrl]);
  return known?.id ?? null;
}
