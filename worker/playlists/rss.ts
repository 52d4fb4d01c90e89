import type { FeedItem, FeedShow } from "#worker/episodes/feed-queries.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { BLOCKED, ofShow, pageLinks, renderChannel, type FeedPage } from "#worker/episodes/rss.ts";
import { htmlContent, htmlOf } from "#worker/platform/http/rss.ts";
import { playlistFeedPath } from "#worker/playlists/public-queries.ts";
import type { Site } from "#worker/settings/contract.ts";

type Head = { id: string; name: string; description: string; createdAt: Date };
type Locale = Pick<Site, "language" | "timeZone">;

/** A playlist of the podcast's episodes as a feed of its own, blocked from podcast directories. */
export function renderPlaylistRss(
  siteUrl: string,
  locale: Locale,
  show: FeedShow,
  { id, name, description, createdAt }: Head,
  page: FeedPage<FeedItem>,
) {
  const feedUrl = siteUrl + playlistFeedPath(id);
  const channel = {
    "atom:link": pageLinks(feedUrl, page),
    title: name,
    description: htmlContent(htmlOf(description || `Episodes of ${show.title}, chosen by a listener.`)),
    ...ofShow(siteUrl, show, { title: name, link: `${siteUrl}/playlists/${id}` }),
    "itunes:explicit": String(page.items.some(({ explicit }) => explicit)),
    ...BLOCKED,
    "podcast:guid": podcastGuid(feedUrl),
    "podcast:locked": "yes",
  };
  return renderChannel(siteUrl, channel, { ...page, items: inOrder(page.items, locale, createdAt) });
}

const MINUTE = 60_000;

/**
 * Apps sort by date and group by season. So the first item has the playlist's creation date, each later one is a minute
 * older, and none has numbers; an episode's own date is at the end of its texts.
 */
function inOrder(items: FeedItem[], { language, timeZone }: Locale, createdAt: Date) {
  const day = new Intl.DateTimeFormat(language, { timeZone, dateStyle: "long" });
  return items.map(({ publishedAt, ...item }) => ({
    ...item,
    publishedAt: new Date(createdAt.getTime() - (item.rank - 1) * MINUTE),
    seasonNumber: null,
    episodeNumber: null,
    closing: publishedAt ? `<p>First published on ${day.format(publishedAt)}.</p>` : "",
  }));
}
