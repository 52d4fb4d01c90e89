import { and, eq, isNotNull, sql } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * An episode without its texts; `publishedAt` in milliseconds UTC.
 * @throws `not_found`, also for what was never published
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

/** SQL: ids and dates (`published_at`) of the newest published episodes besides one; 0 for all. */
export const selectNewestEpisodeDates = ({ besides, limit }: { besides: number; limit: number }) =>
  sql`(select id, published_at from ${episodes} where status = 'published' and id <> ${besides}
    order by published_at desc limit ${limit})`;
