import type { Person } from "#worker/episodes/contract.ts";
import type { FeedItem, FeedShow } from "#worker/episodes/feed-queries.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { absoluteLinks, buildXml, htmlContent, rfc2822, nonEmpty } from "#worker/platform/rss.ts";

export type FeedPage = { items: FeedItem[]; page: number; lastPage: number };

/** Bytes; the limit of Apple and PSP-1. */
const MAX_DESCRIPTION = 4000;
/** Bytes of a page of a paged feed. Show notes are included, newest episode first, as far as they fit. */
const MAX_PAGE = 160_000;

/** Podcast RSS 2.0: Apple's requirements, PSP-1, and the Podcasting 2.0 tags that the data supports. */
export const renderRss = (siteUrl: string, show: FeedShow, page: FeedPage) =>
  renderChannel(siteUrl, channelOf(siteUrl, show, page), page);

/** RSS of any channel with these episodes. */
export function renderChannel(siteUrl: string, channel: object, { items: rows, lastPage }: FeedPage) {
  const xml = documentOf(channel);
  const items = rows.map((row) => buildXml({ item: itemOf(siteUrl, row) }));
  const room = lastPage === 1 ? Infinity : MAX_PAGE - byteLength(xml + items.join(""));
  const end = xml.lastIndexOf("</channel>");
  return xml.slice(0, end) + withShowNotes(siteUrl, rows, items, room).join("") + xml.slice(end);
}

const documentOf = (channel: object) =>
  buildXml({
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    rss: {
      "@_version": "2.0",
      "@_xmlns:itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
      "@_xmlns:podcast": "https://podcastindex.org/namespace/1.0",
      "@_xmlns:atom": "http://www.w3.org/2005/Atom",
      "@_xmlns:content": "http://purl.org/rss/1.0/modules/content/",
      channel,
    },
  });

function channelOf(siteUrl: string, show: FeedShow, page: FeedPage) {
  return {
    "atom:link": pageLinks(siteUrl + FEED_PATH, page),
    title: show.title,
    description: show.description,
    ...ofShow(siteUrl, show, { title: show.title, link: `${siteUrl}/podcast` }),
    copyright: nonEmpty(show.copyright),
    lastBuildDate: rfc2822(show.feedChangedAt),
    "itunes:type": show.type,
    "itunes:subtitle": nonEmpty(show.subtitle),
    "itunes:owner":
      show.ownerName || show.ownerEmail
        ? { "itunes:name": nonEmpty(show.ownerName), "itunes:email": nonEmpty(show.ownerEmail) }
        : undefined,
    "podcast:guid": show.guid,
    "podcast:locked": { "@_owner": nonEmpty(show.ownerEmail), "#text": show.locked ? "yes" : "no" },
    "podcast:funding": show.fundingUrl
      ? { "@_url": show.fundingUrl, "#text": show.fundingText || "Support the show" }
      : undefined,
    "podcast:txt": show.appleVerification
      ? { "@_purpose": "applepodcastsverify", "#text": show.appleVerification }
      : undefined,
    "podcast:updateFrequency":
      show.updateFrequency || show.updateRule
        ? { "@_rrule": nonEmpty(show.updateRule), "#text": show.updateFrequency }
        : undefined,
    "podcast:person": show.people.map(personOf),
  };
}

/** The channel elements that every feed with the podcast's episodes has. */
export function ofShow(siteUrl: string, show: FeedShow, { title, link }: { title: string; link: string }) {
  const artwork = show.artworkKey ? siteUrl + mediaUrl(show.artworkKey) : undefined;
  return {
    link,
    language: show.language,
    generator: "Rostrum",
    image: artwork && { url: artwork, title, link },
    "itunes:image": artwork && { "@_href": artwork },
    "itunes:category": {
      "@_text": show.category,
      "itunes:category": show.subcategory ? { "@_text": show.subcategory } : undefined,
    },
    "itunes:explicit": String(show.explicit),
    "itunes:author": show.author,
    "podcast:medium": "podcast",
  };
}

/** RFC 5005. It says "previous", the podcast namespace's recommendation "prev"; both are registered relations. */
export function pageLinks(feedUrl: string, { page, lastPage }: FeedPage) {
  const link = (rel: string, to: number) => ({
    "@_rel": rel,
    "@_href": to === 1 ? feedUrl : `${feedUrl}?page=${to}`,
    "@_type": "application/rss+xml",
  });
  if (lastPage === 1) return [link("self", 1)];
  return [
    link("self", page),
    link("first", 1),
    ...(page > 1 ? [link("previous", page - 1), link("prev", page - 1)] : []),
    ...(page < lastPage ? [link("next", page + 1)] : []),
    link("last", lastPage),
  ];
}

function itemOf(siteUrl: string, row: FeedItem) {
  const link = episodeUrl(siteUrl, row.id);
  return {
    title: row.title,
    link,
    guid: { "@_isPermaLink": "false", "#text": row.guid },
    pubDate: row.publishedAt ? rfc2822(row.publishedAt) : undefined,
    description: nonEmpty(cutToBytes(row.description, MAX_DESCRIPTION)),
    enclosure: {
      "@_url": siteUrl + mediaUrl(row.audioKey),
      "@_length": row.audioBytes,
      "@_type": row.audioType,
    },
    "itunes:duration": row.durationSeconds > 0 ? row.durationSeconds : undefined,
    "itunes:image": row.imageKey ? { "@_href": siteUrl + mediaUrl(row.imageKey) } : undefined,
    "itunes:explicit": String(row.explicit),
    "itunes:episodeType": row.episodeType,
    "itunes:season": row.seasonNumber,
    "itunes:episode": row.episodeNumber,
    "podcast:season": row.seasonNumber,
    "podcast:episode": row.episodeNumber,
    "podcast:transcript": row.hasTranscript
      ? { "@_url": `${link}/transcript.vtt`, "@_type": "text/vtt" }
      : undefined,
    "podcast:chapters": row.hasChapters
      ? { "@_url": `${link}/chapters.json`, "@_type": "application/json+chapters" }
      : undefined,
    "podcast:person": row.people.map(personOf),
    "podcast:soundbite": row.soundbites.map(({ start, duration, title }) => ({
      "@_startTime": start,
      "@_duration": duration,
      "#text": title,
    })),
  };
}

const personOf = ({ name, role, group, href }: Person) => ({
  "@_role": nonEmpty(role),
  "@_group": nonEmpty(group),
  "@_href": href ?? undefined,
  "#text": name,
});

/** The items with their show notes, newest episode first, until `room` bytes are used up. */
function withShowNotes(siteUrl: string, rows: FeedItem[], items: string[], room: number) {
  return items.map((item, index) => {
    const row = rows[index];
    if (!row?.showNotesHtml || room < 0) return item;
    const html = absoluteLinks(row.showNotesHtml, episodeUrl(siteUrl, row.id));
    const notes = buildXml({ "content:encoded": htmlContent(html) });
    room -= byteLength(notes);
    return room < 0 ? item : item.replace(ITEM_END, () => notes + ITEM_END);
  });
}
const ITEM_END = "</item>";

const episodeUrl = (siteUrl: string, id: number) => `${siteUrl}/episode/${id}`;

const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).length;

/** Cuts a text that is too long after a word and adds an ellipsis (three bytes). */
function cutToBytes(text: string, max: number) {
  const bytes = encoder.encode(text);
  if (bytes.length <= max) return text;
  const head = new TextDecoder().decode(bytes.subarray(0, max - 3)).replace(/\uFFFD+$/, "");
  return `${head.replace(/\s+\S*$/, "")}…`;
}
