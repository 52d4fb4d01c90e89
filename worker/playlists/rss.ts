import type { FeedShow } from "#worker/episodes/feed-queries.ts";
import { playlistFeedPath, type PublicPlaylist } from "#worker/playlists/public-queries.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { ofShow, pageLinks, renderChannel, type FeedPage } from "#worker/episodes/rss.ts";

type Head = Omit<PublicPlaylist, "episodes">;

/** A playlist of the podcast's episodes as a feed of its own, blocked from podcast directories. */
export function renderPlaylistRss(
  siteUrl: string,
  show: FeedShow,
  { id, name, description }: Head,
  page: FeedPage,
) {
  const feedUrl = siteUrl + playlistFeedPath(id);
  const channel = {
    "atom:link": pageLinks(feedUrl, page),
    title: name,
    description: description || `Episodes of ${show.title}, chosen by a listener.`,
    ...ofShow(siteUrl, show, { title: name, link: `${siteUrl}/playlists/${id}` }),
    "itunes:block": "Yes",
    "podcast:block": "yes",
    "podcast:guid": podcastGuid(feedUrl),
    "podcast:locked": "yes",
  };
  return renderChannel(siteUrl, channel, page);
}
