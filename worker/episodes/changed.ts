import { sql, type SQL } from "drizzle-orm";
import { touchFeed } from "#worker/episodes/feed-date.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements that expire the cached responses of these episodes if they are published, of their lists and the feed.
 */
export function changedEpisodes(ctx: Context, which: SQL) {
  const published = sql`from ${episodes} where ${which} and ${isPublished}`;
  return [
    changed(
      ctx,
      sql`select 'episode:' || ${episodes.id} as tag ${published} union select 'episodes' ${published}`,
    ),
    touchFeed(ctx, sql`exists (select 1 ${published})`),
  ] as const;
}

/** The announcements if these episodes are published, or were published and change. */
export const publicationOf = (which: SQL) => ({
  kind: "episode" as const,
  feed: FEED_PATH,
  items: sql`select ${episodes.id} as id, ${episodes.title} as title, '/episode/' || ${episodes.id} as path,
    ${episodes.updatedAt} as version from ${episodes} where ${which}`,
});
