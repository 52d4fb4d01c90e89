import { and, eq, sql } from "drizzle-orm";
import { isInFeed, readFeedPage, readFeedShow, type RankedEpisodes } from "#worker/episodes/feed-queries.ts";
import { findPublic } from "#worker/playlists/public-queries.ts";
import { playlistNotFound } from "#worker/playlists/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { renderPlaylistRss } from "#worker/playlists/rss.ts";
import { readSite } from "#worker/settings/queries.ts";
import { playlistItems } from "#worker/playlists/table.ts";

/**
 * A page of a public playlist's feed as XML.
 * @throws `not_found`, also for a page beyond the last
 */
export async function readPlaylistFeed(ctx: Context, id: string, page: number) {
  const [site, show, playlist, items] = await Promise.all([
    readSite(ctx),
    readFeedShow(ctx),
    findPublic(ctx, id),
    readFeedPage(ctx, rankItems(ctx, id), page),
  ]);
  if (!playlist) throw playlistNotFound();
  return renderPlaylistRss(ctx.config.siteUrl, site, show, { id, ...playlist }, items);
}

const rankItems = ({ db }: Context, playlistId: string): RankedEpisodes =>
  db.$with("ranked").as(
    db
      .select({
        episodeId: sql<number>`${playlistItems.episodeId}`.as("episode_id"),
        rank: sql<number>`row_number() over (order by ${playlistItems.position})`.as("rank"),
        total: sql<number>`count(*) over ()`.as("total"),
      })
      .from(playlistItems)
      .where(and(eq(playlistItems.playlistId, playlistId), isInFeed(playlistItems.episodeId))),
  );
