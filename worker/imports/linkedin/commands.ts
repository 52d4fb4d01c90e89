import { requireCapability } from "#worker/access/capabilities.ts";
import { createArticle } from "#worker/articles/commands.ts";
import { LinkedInPost, type ImportedPost } from "#worker/imports/contract.ts";
import { findArticleOf } from "#worker/imports/linkedin/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/** Data about a post that is fetched during the import. */
type Extras = { imageFileId?: string | null; shares?: number | null };

/**
 * Creates an article from a LinkedIn post, with its date and engagement, without a category. A post that only
 * connections see becomes a draft. If the post was imported before, the owner's version is not changed.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function importPost(
  ctx: Context,
  input: LinkedInPost,
  { imageFileId = null, shares = null }: Extras = {},
): Promise<ImportedPost> {
  requireCapability("edit", ctx);
  const { isForConnections, status, urn: _, engagement, image, ...post } = parseInput(LinkedInPost, input);
  const known = await findArticleOf(ctx, post.sourceUrl);
  if (known !== null) return { id: known, isNew: false };
  const article = {
    ...post,
    status: isForConnections ? ("draft" as const) : status,
    source: "linkedin" as const,
    engagement: engagement && { ...engagement, shares: shares ?? 0 },
    imageFileId,
    imageAlt: imageFileId ? (image?.alt ?? "") : "",
  };
  try {
    return { id: (await createArticle(ctx, article, { isImported: true })).id, isNew: true };
  } catch (error) {
    // Another editor imported the same post at the same time.
    const made =
      error instanceof AppError && error.field === "sourceUrl"
        ? await findArticleOf(ctx, post.sourceUrl)
        : null;
    if (made === null) throw error;
    return { id: made, isNew: false };
  }
}
