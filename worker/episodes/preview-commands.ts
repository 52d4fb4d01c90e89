import { requireCapability } from "#worker/access/capabilities.ts";
import { readEpisodeRow } from "#worker/episodes/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { replacePreviewLink, withdrawLink } from "#worker/previews/preview-links.ts";

/**
 * Creates a link that shows an episode without an account for seven days. A previous link stops working.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function createEpisodePreviewLink(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  await readEpisodeRow(ctx, id);
  return replacePreviewLink(ctx, { kind: "episode", item: id });
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function deleteEpisodePreviewLink(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  await readEpisodeRow(ctx, id);
  await withdrawLink(ctx, { kind: "episode", item: id });
}
