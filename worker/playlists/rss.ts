import type { FeedShow } from "#worker/episodes/feed.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { ofShow, pageLinks, renderChannel, type FeedPage } from "#worker/episodes/rss.ts";
import { playlistFeedPath, type PublicPlaylist } from "#worker/playlists/public.ts";

type Head = Omit<PublicPlaylist, "episodes">;

/** A listener's choice of the podcast's episodes as a podcast of its own, which directories are not to list. */
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
