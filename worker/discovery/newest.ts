import { listPublishedArticles } from "#worker/articles/queries.ts";
import { listPublishedEpisodes } from "#worker/episodes/queries.ts";
import type { Context } from "#worker/platform/context.ts";

/** A link to a published episode or essay. */
export type Newest = { path: string; title: string; description: string };

/** The newest episodes and essays. */
export async function readNewest(ctx: Context, limit: number) {
  const [{ items: episodes }, { items: articles }] = await Promise.all([
    listPublishedEpisodes(ctx, { limit }),
    listPublishedArticles(ctx, { limit }),
  ]);
  return {
    episodes: episodes.map(({ id, title, description }): Newest => ({
      path: `/episode/${id}`,
      title,
      description,
    })),
    essays: articles.map(({ slug, title, excerpt }): Newest => ({
      path: `/essays/${slug}`,
      title,
      description: excerpt,
    })),
  };
}
