import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * An episode without its texts; `publishedAt` in milliseconds UTC.
 * @throws `not_found`, also for an episode that was never published
 */
export async function readEpisodeOutline({ db }: Context, id: number) {
  const [row] = await db
    .select({
      title: episodes.title,
      durationSeconds: episodes.durationSeconds,
      chapters: episodes.chapters,
      publishedAt: sql<number>`${episodes.publishedAt}`,
    })
    .from(episodes)
    .where(and(eq(episodes.id, id), isNotNull(episodes.publishedAt)));
  if (!row) throw new AppError("not_found", "There is no such episode.");
  return row;
}

/** The newest published episodes besides one, or 0 for all; `publishedAt` in milliseconds UTC. */
export const readNewestEpisodeDates = (
  { db }: Context,
  { besides, limit }: { besides: number; limit: number },
) =>
  db
    .select({ id: episodes.id, publishedAt: sql<number>`${episodes.publishedAt}` })
    .from(episodes)
    .where(and(eq(episodes.status, "published"), ne(episodes.id, besides)))
    .orderBy(desc(episodes.publishedAt))
    .limit(limit);
