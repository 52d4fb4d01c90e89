import { requireCapability } from "#worker/access/capabilities.ts";
import { readArticleRow } from "#worker/articles/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { replacePreviewLink, withdrawLink } from "#worker/previews/preview-links.ts";

/**
 * Creates a link that shows an article to people without an account for seven days. It replaces a former link.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function createArticlePreviewLink(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  await readArticleRow(ctx, id);
  return replacePreviewLink(ctx, { kind: "article", item: id });
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function deleteArticlePreviewLink(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  await readArticleRow(ctx, id);
  await withdrawLink(ctx, { kind: "article", item: id });
}
