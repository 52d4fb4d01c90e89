import { requireCapability } from "#worker/access/capabilities.ts";
import { createArticle } from "#worker/articles/commands.ts";
import { findArticlesBySource } from "#worker/articles/match-queries.ts";
import { LinkedInPost, type ImportedPost } from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { sha256 } from "#worker/platform/random.ts";

/**
 * Makes an article of a post: published at its date, from LinkedIn, without a category. A post that is an article already
 * is left as its owner has it since.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` where somebody else imports it at this moment
 */
export async function importPost(ctx: Context, input: LinkedInPost): Promise<ImportedPost> {
  requireCapability("edit", ctx);
  const post = parseInput(LinkedInPost, input);
  const [known] = await findArticlesBySource(ctx, [post.sourceUrl]);
  if (known) return { id: known.id, isNew: false };
  const article = {
    ...post,
    status: "published" as const,
    publishedAt: post.originalPublishedAt,
    source: "linkedin" as const,
  };
  const importKey = `linkedin ${await sha256(post.sourceUrl)}`;
  const { id } = await createArticle(ctx, article, { isImported: true, importKey });
  return { id, isNew: true };
}
