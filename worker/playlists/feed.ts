import { and, eq, sql } from "drizzle-orm";
import { isInFeed, readFeedPage, readFeedShow, type Places } from "#worker/episodes/feed.ts";
import type { Context } from "#worker/platform/context.ts";
import { playlistNotFound } from "#worker/playlists/playlists.ts";
import { findPublic } from "#worker/playlists/public.ts";
import { renderPlaylistRss } from "#worker/playlists/rss.ts";
import { playlistItems } from "#worker/playlists/table.ts";

/**
 * A page of a public playlist's feed as XML.
 * @throws `not_found`, also for a page beyond the last
 */
export async function readPlaylistFeed(ctx: Context, id: string, page: number) {
  const [show, playlist, items] = await Promise.all([
    readFeedShow(ctx),
    findPublic(ctx, id),
    readFeedPage(ctx, placesIn(ctx, id), page),
  ]);
  if (!playlist) throw playlistNotFound();
  return renderPlaylistRss(ctx.config.siteUrl, show, { id, ...playlist }, items);
}

const placesIn = ({ db }: Context, playlistId: string): Places =>
  db.$with("places").as(
    db
      .select({
        episodeId: sql<number>`${playlistItems.episodeId}`.as("episode_id"),
        place: sql<number>`row_number() over (order by ${playlistItems.position})`.as("place"),
        total: sql<number>`count(*) over ()`.as("total"),
      })
      .from(playlistItems)
      .where(and(eq(playlistItems.playlistId, playlistId), isInFeed(playlistItems.episodeId))),
  );
