import type { Person } from "#worker/episodes/contract.ts";
import type { FeedItem, FeedShow } from "#worker/episodes/feed-queries.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { formatsOf, transcriptFormats } from "#worker/episodes/transcript-formats.ts";
import { altOf, variantKey, type PictureRow } from "#worker/files/pictures/picture.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import {
  absoluteLinks,
  byteLength,
  feedHead,
  htmlContent,
  htmlOf,
  nonEmpty,
  rfc2822,
} from "#worker/platform/http/rss.ts";
import { buildXml } from "#worker/platform/http/xml.ts";
import { hubLinks } from "#worker/websub/hub.ts";

/** An episode as a feed shows it. */
export type RenderedItem = FeedItem & {
  /** HTML appended to its texts. */
  closing?: string;
};
export type FeedPage<Item = RenderedItem> = { items: Item[]; page: number; lastPage: number };

/** Bytes of a document. The newest episodes have their details until this is reached, older ones a summary. */
export const MAX_DOCUMENT = 1_500_000;
/** Bytes. Longer show notes are added last, so that they never displace those of other episodes. */
export const LONG_NOTES = 20_000;
/** Bytes of its HTML; the limit of Apple and PSP-1. */
const MAX_DESCRIPTION = 4000;
/** Bytes of its HTML. */
export const MAX_SUMMARY = 300;

/** Podcast RSS 2.0: Apple's requirements, PSP-1, and the Podcasting 2.0 tags that the data supports. */
export const renderRss = (siteUrl: string, show: FeedShow, page: FeedPage) =>
  renderChannel(siteUrl, channelOf(siteUrl, show, page), page, audioUrlOf(siteUrl, show));

/** Returns the address of audio by its key. */
type AudioUrl = (key: string) => string;

/**
 * Audio addresses of the podcast's own feed: on this site, or with the op3.dev prefix, which redirects here. The prefix
 * replaces https://; another scheme remains in the address.
 */
function audioUrlOf(siteUrl: string, { op3, guid }: Pick<FeedShow, "op3" | "guid">): AudioUrl {
  const prefix = op3 ? `https://op3.dev/e,pg=${guid}/` : null;
  return (key) => {
    const url = siteUrl + mediaUrl(key);
    return prefix === null ? url : prefix + url.replace(/^https:\/\//, "");
  };
}

/** RSS of any channel with these episodes. */
export function renderChannel(
  siteUrl: string,
  channel: object,
  { items: rows }: FeedPage,
  audioUrl: AudioUrl = (key) => siteUrl + mediaUrl(key),
) {
  const xml = documentOf(channel);
  const items = rows.map((row) => buildXml(itemOf(siteUrl, row, audioUrl)));
  const texts = textsOf(siteUrl, rows, MAX_DOCUMENT - byteLength(xml + items.join("")));
  const end = xml.lastIndexOf("</channel>");
  const all = items.map((item, at) => `<item>${item}${texts[at] ?? ""}</item>`);
  return xml.slice(0, end) + all.join("") + xml.slice(end);
}

/** The rest of each item: its details as long as they fit into `room` bytes, otherwise its summary. */
function textsOf(siteUrl: string, rows: RenderedItem[], room: number) {
  const texts = rows.map((row) => buildXml({ description: htmlContent(summaryOf(row)) }));
  let left = room - byteLength(texts.join("")) - ITEM_TAGS * rows.length;
  const inTurn = [...rows.entries()].toSorted(([, a], [, b]) => a.hasLongNotes - b.hasLongNotes);
  for (const [at, row] of inTurn) {
    const details = buildXml(detailsOf(siteUrl, row));
    const more = byteLength(details) - byteLength(texts[at] ?? "");
    if (more > left) continue;
    left -= more;
    texts[at] = details;
  }
  return texts;
}
const ITEM_TAGS = "<item></item>".length;

const documentOf = (channel: object) =>
  buildXml({
    ...feedHead,
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
    "atom:link": [
      ...pageLinks(siteUrl + FEED_PATH, page),
      // The hub only gets the first page.
      ...(page.page === 1 ? hubLinks(show.hubUrl) : []),
    ],
    title: show.title,
    description: htmlContent(htmlOf(show.description, MAX_DESCRIPTION)),
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
    "podcast:funding":
      show.takesSupport && show.fundingUrl
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
    "itunes:new-feed-url": show.newFeedUrl ?? undefined,
    "itunes:complete": show.complete ? "Yes" : undefined,
    ...(show.blocked ? BLOCKED : {}),
    "podcast:license": licenseOf(show),
    "podcast:location": show.location
      ? {
          "@_rel": "subject",
          "@_geo": show.locationGeo ? `geo:${show.locationGeo.replace(" ", "")}` : undefined,
          "#text": show.location,
        }
      : undefined,
    "podcast:trailer": page.items.filter(isTrailer).map((row) => trailerOf(row, audioUrlOf(siteUrl, show))),
  };
}

/** For a channel that directories must not list. */
export const BLOCKED = { "itunes:block": "Yes", "podcast:block": "yes" };

/** A well-known licence is given by its identifier in lower case. */
function licenseOf({ license, licenseUrl }: FeedShow) {
  if (license === "") return undefined;
  return licenseUrl ? { "@_url": licenseUrl, "#text": license } : license.toLowerCase();
}

const isTrailer = ({ episodeType, isBlocked }: RenderedItem) => episodeType === "trailer" && !isBlocked;

/** Characters; the podcast namespace's limit. */
const MAX_TRAILER_TITLE = 128;

const trailerOf = (row: RenderedItem, audioUrl: AudioUrl) => ({
  "@_url": audioUrl(row.audioKey),
  "@_pubdate": row.publishedAt ? rfc2822(row.publishedAt) : undefined,
  "@_length": row.audioBytes,
  "@_type": row.audioType,
  "@_season": row.seasonNumber ?? undefined,
  "#text": row.title.slice(0, MAX_TRAILER_TITLE),
});

/** The channel elements of every feed with the podcast's episodes. */
export function ofShow(siteUrl: string, show: FeedShow, { title, link }: { title: string; link: string }) {
  const artwork = show.artwork ? siteUrl + mediaUrl(show.artwork.key) : undefined;
  return {
    link,
    language: show.language,
    generator: "Rostrum",
    image: artwork && { url: artwork, title, link },
    "itunes:image": artwork && { "@_href": artwork },
    "podcast:image": imageOf(siteUrl, show.artwork, `The cover of ${show.title}`),
    "podcast:images": imagesOf(siteUrl, show.artwork),
    "itunes:category": {
      "@_text": show.category,
      "itunes:category": show.subcategory ? { "@_text": show.subcategory } : undefined,
    },
    "itunes:explicit": String(show.explicit),
    "itunes:author": show.author,
    "podcast:medium": "podcast",
  };
}

/** RFC 5005 says "previous", the podcast namespace's recommendation "prev"; both are registered relations. */
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

function itemOf(siteUrl: string, row: RenderedItem, audioUrl: AudioUrl) {
  const link = episodeUrl(siteUrl, row.id);
  return {
    title: row.title,
    link,
    guid: { "@_isPermaLink": "false", "#text": row.guid },
    pubDate: row.publishedAt ? rfc2822(row.publishedAt) : undefined,
    enclosure: {
      "@_url": audioUrl(row.audioKey),
      "@_length": row.audioBytes,
      "@_type": row.audioType,
    },
    "itunes:duration": row.durationSeconds > 0 ? row.durationSeconds : undefined,
    "itunes:image": row.image ? { "@_href": siteUrl + mediaUrl(row.image.key) } : undefined,
    "itunes:explicit": String(row.explicit),
    "itunes:block": row.isBlocked ? "Yes" : undefined,
    "itunes:episodeType": row.episodeType,
    "itunes:season": row.seasonNumber ?? undefined,
    "itunes:episode": row.episodeNumber ?? undefined,
    "podcast:season": row.seasonNumber ?? undefined,
    "podcast:episode": row.episodeNumber ?? undefined,
    "podcast:transcript": transcriptsOf(siteUrl, row).slice(0, ESSENTIAL_TRANSCRIPTS),
    "podcast:chapters": row.hasChapters
      ? { "@_url": `${link}/chapters.json`, "@_type": "application/json+chapters" }
      : undefined,
  };
}

/** A feed of a thousand episodes has room for one format of each. The other formats are details. */
const ESSENTIAL_TRANSCRIPTS = 1;

function transcriptsOf(siteUrl: string, { id, hasTranscript, hasCues, language }: RenderedItem) {
  if (!hasTranscript) return [];
  return formatsOf(Boolean(hasCues)).map((format) => ({
    "@_url": `${episodeUrl(siteUrl, id)}/transcript.${format}`,
    "@_type": transcriptFormats[format].type,
    "@_language": language,
    "@_rel": transcriptFormats[format].isCaptions ? "captions" : undefined,
  }));
}

/** podcast:image. */
const imageOf = (siteUrl: string, picture: PictureRow | null, alt: string) =>
  picture?.width && picture.height
    ? {
        "@_href": siteUrl + mediaUrl(picture.key),
        "@_alt": nonEmpty(alt),
        "@_aspect-ratio": `${picture.width}/${picture.height}`,
        "@_width": picture.width,
        "@_height": picture.height,
      }
    : undefined;

/** podcast:images, the predecessor of podcast:image: a picture and its smaller copies. */
function imagesOf(siteUrl: string, picture: PictureRow | null) {
  if (!picture?.width) return undefined;
  const { key, width, variants } = picture;
  const copies = (variants ?? []).map((px) => `${siteUrl}${mediaUrl(variantKey(key, px, "webp"))} ${px}w`);
  return { "@_srcset": [`${siteUrl}${mediaUrl(key)} ${width}w`, ...copies].join(", ") };
}

const personOf = ({ name, role, group, href }: Person) => ({
  "@_role": nonEmpty(role),
  "@_group": nonEmpty(group),
  "@_href": href ?? undefined,
  "#text": name,
});

/** For apps that do not show notes, and instead of notes that do not fit. */
const summaryOf = ({ description, notesStart, closing = "" }: RenderedItem) =>
  htmlOf(description === "" ? notesStart : description, MAX_SUMMARY) + closing;

/** What an item has beyond its summary if there is room. */
function detailsOf(siteUrl: string, row: RenderedItem) {
  const { description, showNotesHtml, closing = "" } = row;
  const notes = showNotesHtml && absoluteLinks(showNotesHtml, episodeUrl(siteUrl, row.id));
  return {
    description: htmlContent(
      description === "" ? summaryOf(row) : htmlOf(description, MAX_DESCRIPTION) + closing,
    ),
    "content:encoded": htmlContent(notes ? notes + closing : ""),
    // The title no longer has its numbers here.
    "itunes:title": row.title,
    "podcast:image": imageOf(siteUrl, row.image, altOf(row.image, row.imageAlt)),
    "podcast:transcript": transcriptsOf(siteUrl, row).slice(ESSENTIAL_TRANSCRIPTS),
    "podcast:person": row.people.map(personOf),
    "podcast:soundbite": row.soundbites.map(({ start, duration, title }) => ({
      "@_startTime": start,
      "@_duration": duration,
      "#text": title,
    })),
  };
}

const episodeUrl = (siteUrl: string, id: number) => `${siteUrl}/episode/${id}`;
