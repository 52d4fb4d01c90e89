import { and, eq, sql } from "drizzle-orm";
import { inFeed, readFeedPage, readFeedShow, type Places } from "#worker/episodes/feed.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { playlistNotFound } from "#worker/playlists/playlists.ts";
import { findPublic } from "#worker/playlists/public.ts";
import { renderPlaylistRss } from "#worker/playlists/rss.ts";
import { playlistItems } from "#worker/playlists/table.ts";

/** A page of a public playlist's feed as XML. */
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
        id: episodes.id,
        place: sql<number>`row_number() over (order by ${playlistItems.position})`.as("place"),
        total: sql<number>`count(*) over ()`.as("total"),
      })
      .from(playlistItems)
      .innerJoin(episodes, eq(episodes.id, playlistItems.episodeId))
      .where(and(eq(playlistItems.playlistId, playlistId), inFeed)),
  );
