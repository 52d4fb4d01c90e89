import { requireCapability } from "#worker/access/capabilities.ts";
import { findArticlesBySource } from "#worker/articles/match-queries.ts";
import { KnownPosts } from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * Which of these posts are articles already, in the order of the question: their ids; null for those that are none.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function findKnownPosts(ctx: Context, input: KnownPosts): Promise<{ items: (number | null)[] }> {
  requireCapability("edit", ctx);
  const { sourceUrls } = parseInput(KnownPosts, input);
  const found = await findArticlesBySource(ctx, sourceUrls);
  const ids = new Map(found.map(({ id, sourceUrl }) => [sourceUrl, id]));
  return { items: sourceUrls.map((sourceUrl) => ids.get(sourceUrl) ?? null) };
}

/** The article that a post is already; null where it is none. */
export async function findArticleOf(ctx: Context, sourceUrl: string) {
  const [known] = await findArticlesBySource(ctx, [sourceUrl]);
  return known?.id ?? null;
}
