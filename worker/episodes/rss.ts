import { SUPPORT, type Funding, type Place, type RemoteFeed } from "#worker/episodes/contract.ts";
import type { AlternateFile } from "#worker/episodes/alternate-files.ts";
import type { FeedItem, FeedShow } from "#worker/episodes/feed-queries.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { formatsOf, transcriptFormats } from "#worker/episodes/transcript-formats.ts";
import { altOf, variantKey, type PictureRow } from "#worker/files/pictures/picture.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import {
  absoluteLinks,
  feedHead,
  htmlContent,
  htmlOf,
  nonEmpty,
  rfc2822,
} from "#worker/platform/http/rss.ts";
import { buildXml } from "#worker/platform/http/xml.ts";
import { byteLength } from "#worker/platform/text/bytes.ts";
import type { Credited } from "#worker/profiles/credits.ts";
import { hubLinks } from "#worker/websub/hub.ts";

/** An episode as a feed shows it. */
export type RenderedItem = FeedItem & {
  /** HTML appended to its texts. */
  closing?: string;
};
export type PageNumber = { page: number; lastPage: number };
export type FeedPage<Item = RenderedItem> = PageNumber & { items: Item[] };

/** Bytes of a document. The newest episodes have their details until this is reached, older ones a summary. */
export const MAX_DOCUMENT = 1_500_000;
/** Bytes. Longer show notes are added last, so that they never displace those of other episodes. */
export const LONG_NOTES = 20_000;
/** Bytes of its HTML; the limit of Apple and PSP-1. */
const MAX_DESCRIPTION = 4000;
/** Bytes of its HTML. */
export const MAX_SUMMARY = 300;

/** A feed of all episodes: its address, and the podcast as its channel describes it. */
export type PodcastFeed = { url: string; show: FeedShow };

export const publicFeed = (siteUrl: string, show: FeedShow): PodcastFeed => ({
  url: siteUrl + FEED_PATH,
  show,
});

/** Podcast RSS 2.0: Apple's requirements, PSP-1, and the Podcasting 2.0 tags that the data supports. */
export function renderRss(
  siteUrl: string,
  show: FeedShow,
  { items, ...page }: FeedPage,
  feed = publicFeed(siteUrl, show),
) {
  const audioUrl = audioUrlOf(siteUrl, show);
  const parts = items.map((row) => partsOf(siteUrl, row, audioUrl));
  const trailers = parts.map(({ trailer }) => trailer).join("");
  const texts = textsOf(items, parts, roomFor(siteUrl, show) - byteLength(trailers));
  return renderPage(siteUrl, feed, page, trailers + texts.join(""));
}

/** A page of a feed of the podcast with the XML of its trailers and items. */
export const renderPage = (siteUrl: string, feed: PodcastFeed, page: PageNumber, xml: string) =>
  withItems(documentOf(channelOf(siteUrl, feed.show, linksOf(feed, page))), xml);

/** Bytes for the trailers and items of any page: the channel has the most links that a page may have. */
export const roomFor = (siteUrl: string, show: FeedShow) =>
  MAX_DOCUMENT -
  byteLength(
    documentOf(
      channelOf(siteUrl, show, [...pageLinks(siteUrl + FEED_PATH, LONGEST_LINKS), ...hubLinks(show.hubUrl)]),
    ),
  );
const LONGEST_LINKS = { page: 99_999, lastPage: 999_999 };

const linksOf = ({ url, show }: PodcastFeed, page: PageNumber) => [
  ...pageLinks(url, page),
  // The hub only gets the first page.
  ...(page.page === 1 ? hubLinks(show.hubUrl) : []),
];

/** Returns the address of audio by its key. */
type AudioUrl = (key: string) => string;

/**
 * Audio addresses of the podcast's own feed: on this site, or with the op3.dev prefix, which redirects here. The prefix
 * replaces https://; another scheme remains in the address.
 */
export function audioUrlOf(siteUrl: string, { op3, guid }: Pick<FeedShow, "op3" | "guid">): AudioUrl {
  const prefix = op3 ? `https://op3.dev/e,pg=${guid}/` : null;
  return (key) => {
    const url = siteUrl + mediaUrl(key);
    return prefix === null ? url : prefix + url.replace(/^https:\/\//, "");
  };
}

/** RSS of any channel with these episodes. */
export function renderChannel(siteUrl: string, channel: object, { items: rows }: FeedPage) {
  const xml = documentOf(channel);
  const parts = rows.map((row) => partsOf(siteUrl, row, (key) => siteUrl + mediaUrl(key)));
  return withItems(xml, textsOf(rows, parts, MAX_DOCUMENT - byteLength(xml)).join(""));
}

function withItems(xml: string, items: string) {
  const end = xml.lastIndexOf("</channel>");
  return xml.slice(0, end) + items + xml.slice(end);
}

/**
 * The XML of an item in parts: its essentials, then either its summary or its details, which are `description`, `notes`
 * and `rest`. The channel has the `trailer`.
 */
export type ItemParts = Record<
  "essentials" | "summary" | "description" | "notes" | "rest" | "trailer",
  string
>;

/** Raised when the parts of the same item change, so that those which are stored are rendered again. */
export const PARTS_VERSION = 3;

export function partsOf(siteUrl: string, row: RenderedItem, audioUrl: AudioUrl): ItemParts {
  const { description, notes, rest } = detailsOf(siteUrl, row, audioUrl);
  return {
    essentials: `<item>${buildXml(itemOf(siteUrl, row, audioUrl))}`,
    summary: `${buildXml({ description: htmlContent(summaryOf(row)) })}</item>`,
    description: buildXml({ description }),
    notes: buildXml({ "content:encoded": notes }),
    rest: `${buildXml(rest)}</item>`,
    trailer: isTrailer(row) ? buildXml({ "podcast:trailer": trailerOf(row, audioUrl) }) : "",
  };
}

/** Each item with its details as long as they fit into `room` bytes, otherwise with its summary. */
function textsOf(rows: RenderedItem[], parts: ItemParts[], room: number) {
  const sizes = rows.map(({ hasLongNotes }, at) => ({ hasLongNotes, ...sizesOf(parts[at]!) }));
  const fits = chooseDetailed(
    sizes.map(({ notesBytes, ...size }) => ({ ...size, moreBytes: size.moreBytes + notesBytes })),
    room,
  );
  return parts.map(
    ({ essentials, summary, description, notes, rest }, at) =>
      essentials + (fits[at] ? description + notes + rest : summary),
  );
}

export const sizesOf = ({ essentials, summary, description, notes, rest }: ItemParts) => ({
  /** With its summary. */
  briefBytes: byteLength(essentials + summary),
  /** That its details without the notes take more than its summary. */
  moreBytes: byteLength(description + rest) - byteLength(summary),
  notesBytes: byteLength(notes),
});

type Size = { hasLongNotes: number; briefBytes: number; moreBytes: number };

/** Which items have their details in a document with room for this many bytes. */
export function chooseDetailed(sizes: Size[], room: number) {
  let left = sizes.reduce((rest, { briefBytes }) => rest - briefBytes, room);
  const fits = sizes.map(() => false);
  for (const at of inTurn(sizes)) {
    const { moreBytes } = sizes[at]!;
    if (moreBytes > left) continue;
    left -= moreBytes;
    fits[at] = true;
  }
  return fits;
}

/** The positions of items in the order in which they get their details: those with long notes are last. */
export function inTurn(items: Pick<Size, "hasLongNotes">[]) {
  const positions = [...items.keys()];
  const isLong = (at: number) => Boolean(items[at]!.hasLongNotes);
  return [...positions.filter((at) => !isLong(at)), ...positions.filter(isLong)];
}

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

function channelOf(siteUrl: string, show: FeedShow, links: object[]) {
  return {
    "atom:link": links,
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
    "podcast:guid": nonEmpty(show.guid),
    "podcast:locked": { "@_owner": nonEmpty(show.ownerEmail), "#text": show.locked ? "yes" : "no" },
    "podcast:funding": show.takesSupport ? show.funding.map(fundingOf) : undefined,
    "podcast:txt": [
      ...(show.appleVerification ? [{ purpose: "applepodcastsverify", text: show.appleVerification }] : []),
      ...show.txts,
    ].map(({ purpose, text }) => ({ "@_purpose": nonEmpty(purpose), "#text": text })),
    "podcast:updateFrequency":
      show.updateFrequency || show.updateRule || show.complete
        ? {
            "@_complete": show.complete ? "true" : undefined,
            "@_rrule": nonEmpty(show.updateRule),
            "#text": show.updateFrequency,
          }
        : undefined,
    "podcast:person": show.people.map((person) => personOf(siteUrl, person)),
    "itunes:new-feed-url": show.newFeedUrl ?? undefined,
    "itunes:complete": show.complete ? "Yes" : undefined,
    ...(show.blocked ? BLOCKED : {}),
    "podcast:license": licenseOf(show),
    "podcast:podping": show.usesPodping ? { "@_usesPodping": "true" } : undefined,
    "podcast:location": show.places.map(placeOf),
    "podcast:podroll":
      show.podroll.length > 0 ? { "podcast:remoteItem": show.podroll.map(remoteItemOf) } : undefined,
    "podcast:publisher": show.publisherUrl
      ? {
          "podcast:remoteItem": {
            "@_medium": "publisher",
            ...remoteItemOf({ title: "", url: show.publisherUrl, guid: show.publisherGuid }),
          },
        }
      : undefined,
  };
}

const fundingOf = ({ url, text }: Funding) => ({ "@_url": url, "#text": text || SUPPORT });

const placeOf = ({ name, rel, geo, osm, country }: Place) => ({
  "@_rel": rel,
  "@_geo": geo ? `geo:${geo.replace(" ", "")}` : undefined,
  "@_osm": nonEmpty(osm),
  "@_country": nonEmpty(country.toLowerCase()),
  "#text": name,
});

const remoteItemOf = ({ title, url, guid }: RemoteFeed) => ({
  "@_feedGuid": guid || podcastGuid(url),
  "@_feedUrl": url,
  "@_title": nonEmpty(title),
});

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
export function pageLinks(feedUrl: string, { page, lastPage }: PageNumber) {
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

type FeedPicture = PictureRow & { type: string };

/** podcast:image. */
const imageOf = (siteUrl: string, picture: FeedPicture | null, alt: string) =>
  picture?.width && picture.height
    ? {
        "@_href": siteUrl + mediaUrl(picture.key),
        "@_alt": nonEmpty(alt),
        "@_aspect-ratio": `${picture.width}/${picture.height}`,
        "@_width": picture.width,
        "@_height": picture.height,
        "@_type": picture.type,
        "@_purpose": "artwork",
      }
    : undefined;

/** podcast:images, the predecessor of podcast:image: a picture and its smaller copies. */
function imagesOf(siteUrl: string, picture: PictureRow | null) {
  if (!picture?.width) return undefined;
  const { key, width, variants } = picture;
  const copies = (variants ?? []).map((px) => `${siteUrl}${mediaUrl(variantKey(key, px, "webp"))} ${px}w`);
  return { "@_srcset": [`${siteUrl}${mediaUrl(key)} ${width}w`, ...copies].join(", ") };
}

const personOf = (siteUrl: string, { name, role, group, href, picture, page }: Credited) => ({
  "@_role": nonEmpty(role),
  "@_group": nonEmpty(group),
  "@_img": picture ? siteUrl + mediaUrl(picture) : undefined,
  "@_href": href ?? (page ? siteUrl + page : undefined),
  "#text": name,
});

/** For apps that do not show notes, and instead of notes that do not fit. */
const summaryOf = ({ description, notesStart, closing = "" }: RenderedItem) =>
  htmlOf(description === "" ? notesStart : description, MAX_SUMMARY) + closing;

/** What an item has instead of its summary if there is room. */
function detailsOf(siteUrl: string, row: RenderedItem, audioUrl: AudioUrl) {
  const { description, showNotesHtml, closing = "" } = row;
  const notes = showNotesHtml && absoluteLinks(showNotesHtml, episodeUrl(siteUrl, row.id));
  return {
    description: htmlContent(
      description === "" ? summaryOf(row) : htmlOf(description, MAX_DESCRIPTION) + closing,
    ),
    notes: htmlContent(notes ? notes + closing : ""),
    rest: {
      // The title no longer has its numbers here.
      "itunes:title": row.title,
      "podcast:image": imageOf(siteUrl, row.image, altOf(row.image, row.imageAlt)),
      "podcast:transcript": transcriptsOf(siteUrl, row).slice(ESSENTIAL_TRANSCRIPTS),
      "podcast:person": row.people.map((person) => personOf(siteUrl, person)),
      "podcast:soundbite": row.soundbites.map(({ start, duration, title }) => ({
        "@_startTime": start,
        "@_duration": duration,
        "#text": title,
      })),
      "podcast:funding": row.takesSupport ? row.funding.map(fundingOf) : undefined,
      "podcast:txt": row.disclosesGenerated
        ? { "@_purpose": "ai-content", "#text": String(row.generated.length > 0) }
        : undefined,
      "podcast:location": row.places.map(placeOf),
      "podcast:contentLink": contentLinksOf(row),
      "podcast:alternateEnclosure": row.alternates.map((file) => alternateOf(file, audioUrl)),
      "podcast:socialInteract": row.discussions.map(({ protocol, url, account }, at) => ({
        "@_protocol": protocol,
        "@_uri": url,
        "@_accountId": nonEmpty(account),
        "@_priority": at + 1,
      })),
    },
  };
}

const alternateOf = (
  { title, key, type, size, seconds, height, sha256 }: AlternateFile,
  audioUrl: AudioUrl,
) => ({
  "@_type": type,
  "@_length": size,
  "@_bitrate": seconds ? Math.round((size * 8) / seconds) : undefined,
  "@_height": height ?? undefined,
  "@_title": nonEmpty(title),
  "podcast:source": { "@_uri": audioUrl(key) },
  "podcast:integrity": sha256
    ? { "@_type": "sri", "@_value": `sha256-${Uint8Array.fromHex(sha256).toBase64()}` }
    : undefined,
});

/** Where the same episode is elsewhere. */
const contentLinksOf = ({ youtubeUrl, spotifyUrl, appleUrl }: RenderedItem) =>
  [
    { href: youtubeUrl, label: "Watch on YouTube" },
    { href: spotifyUrl, label: "Listen on Spotify" },
    { href: appleUrl, label: "Listen on Apple Podcasts" },
  ].flatMap(({ href, label }) => (href ? [{ "@_href": href, "#text": label }] : []));

const episodeUrl = (siteUrl: string, id: number) => `${siteUrl}/episode/${id}`;
