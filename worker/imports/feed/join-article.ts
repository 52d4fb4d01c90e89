import { updateArticle } from "#worker/articles/commands.ts";
import { readPathsOf } from "#worker/articles/old-addresses.ts";
import { keepEpisodeAddresses } from "#worker/episodes/old-addresses.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Joins an article and an episode: the article becomes a draft, so that no text is lost, and its paths, here and at the old
 * site, redirect to the episode. False if the article is not published.
 */
export async function joinArticle(ctx: Context, articleId: number, episodeId: number) {
  const paths = await readPathsOf(ctx, articleId);
  if (paths === null) return false;
  const [keep] = keepEpisodeAddresses(ctx, episodeId, paths);
  if (keep) await keep;
  await updateArticle(ctx, articleId, { status: "draft" });
  return true;
}
