import {
  attributeOf,
  childOf,
  childrenOf,
  rawText,
  textOf,
  baseOf,
  type Node,
} from "#worker/imports/feed/node.ts";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { MAX_SECONDS, MOST_CHAPTERS } from "#worker/episodes/contract.ts";
import type { FeedEpisode, LinkedFile } from "#worker/imports/feed/contract.ts";
import { enclosuresOf, furtherFilesOf } from "#worker/imports/feed/enclosures.ts";
import { omissionsOf } from "#worker/imports/feed/omissions.ts";
import {
  chaptersOf,
  disclosesAi,
  discussionsOf,
  fundingOf,
  isPageIn,
  isYes,
  lineOf,
  linkOf,
  numberOf,
  peopleOf,
  placesOf,
  portraitsOf,
  secondsOf,
  soundbitesOf,
} from "#worker/imports/feed/values.ts";
import { readForeignDate } from "#worker/imports/foreign-date.ts";

/** Characters of stored notes. An episode's notes have at most 100,000 of Markdown, and HTML is longer. */
export const MOST_NOTES = 400_000;
const MAX_TITLE = 255;
const MAX_ALT = 300;

/** The episodes of a channel in the feed's order. Dates without a zone are in `timeZone`. */
export function episodesOf(channel: Node, timeZone = "UTC"): FeedEpisode[] {
  const artwork = artworkOf(channel);
  return childrenOf(channel, "item").map((item) => episodeOf(item, { channel, artwork, timeZone }));
}

/** The address of the podcast's own picture. */
export function artworkOf(channel: Node) {
  const base = attributeOf(channel, "xml:base");
  return imageOf(channel, base) || linkOf(textOf(childOf(channel, "image") ?? {}, "url"), base);
}

/** The address is an attribute or the element's text. */
function imageOf(node: Node, base: string) {
  const thumbnails = [node, ...childrenOf(node, "media:group")].flatMap((each) =>
    childrenOf(each, "media:thumbnail"),
  );
  const nodes = [
    ...["itunes:image", "podcast:image", "googleplay:image"].flatMap((name) => childrenOf(node, name)),
    ...thumbnails,
  ];
  return (
    nodes
      .flatMap((each) => [
        attributeOf(each, "href"),
        attributeOf(each, "url"),
        textOf(each, "url"),
        addressIn(each),
      ])
      .map((address) => linkOf(address, base))
      .find((address) => address !== "") ?? ""
  );
}

/** What podcast:image says that this picture shows. */
const altOf = (item: Node, imageUrl: string, base: string) =>
  childrenOf(item, "podcast:image")
    .filter((node) => imageUrl !== "" && linkOf(attributeOf(node, "href"), base) === imageUrl)
    .map((node) => attributeOf(node, "alt"))
    .find((alt) => alt !== "") ?? "";

const addressIn = (node: Node) => (/[./]/.test(rawText(node)) ? rawText(node) : "");

type Place = { channel: Node; artwork: string; timeZone: string };

function episodeOf(item: Node, { channel, artwork, timeZone }: Place): FeedEpisode {
  const base = baseOf(item, attributeOf(channel, "xml:base"));
  const { audio, audioProblem, audioFiles } = enclosuresOf(item, base);
  const guid = rawText(childOf(item, "guid"));
  const imageUrl = imageOf(item, base);
  const type = textOf(item, "itunes:episodeType").toLowerCase();
  const dateText = textOf(item, "pubDate", "dc:date", "dcterms:created", "dcterms:issued");
  const date = readForeignDate(dateText, { timeZone });
  const episode = {
    guid: guid.trim() === "" ? (audio?.url ?? "") : guid,
    title: lineOf(textOf(item, "title", "itunes:title"), MAX_TITLE),
    publishedAt: date.at,
    date: { text: lineOf(dateText, 100), problem: date.at === null ? date.problem : null },
    link: linkOf(textOf(item, "link"), base),
    oldAddresses: oldAddressesOf(channel, [linkOf(textOf(item, "link"), base), guid]),
    audio,
    audioProblem,
    durationSeconds: durationOf(textOf(item, "itunes:duration")),
    seasonNumber: numberOf(textOf(item, "itunes:season", "podcast:season")),
    episodeNumber: numberOf(textOf(item, "itunes:episode", "podcast:episode")),
    episodeType: type === "trailer" || type === "bonus" ? type : ("full" as const),
    explicit: isYes(textOf(item, "itunes:explicit")),
    blocked: isYes(textOf(item, "itunes:block")),
    summary: textOf(item, "description", "itunes:summary", "itunes:subtitle").slice(0, MOST_NOTES),
    notes: textOf(item, "content:encoded", "description", "itunes:summary").slice(0, MOST_NOTES),
    imageUrl: imageUrl === artwork ? "" : imageUrl,
    imageAlt: lineOf(altOf(item, imageUrl, base), MAX_ALT),
    chapters: inlineChapters(item, base),
    chaptersFile: linkedFiles(item, "podcast:chapters", base)[0] ?? null,
    transcripts: linkedFiles(item, "podcast:transcript", base).toSorted((a, b) => rankOf(a) - rankOf(b)),
    people: peopleOf(childrenOf(item, "podcast:person"), base, isPageIn(channel)),
    soundbites: soundbitesOf(childrenOf(item, "podcast:soundbite")),
    funding: fundingOf(childrenOf(item, "podcast:funding"), base),
    places: placesOf(childrenOf(item, "podcast:location")),
    discussions: discussionsOf(childrenOf(item, "podcast:socialInteract"), base),
    contentLinks: childrenOf(item, "podcast:contentLink")
      .map((node) => linkOf(attributeOf(node, "href"), base))
      .filter((link) => link !== ""),
    portraits: portraitsOf(childrenOf(item, "podcast:person"), base),
    furtherFiles: furtherFilesOf(item, { base, audio }),
    isGenerated: disclosesAi(childrenOf(item, "podcast:txt")),
  } satisfies Omit<FeedEpisode, "omissions">;
  const hasZone = date.at === null || date.hasZone;
  return { ...episode, omissions: omissionsOf(item, episode, { channel, timeZone, hasZone, audioFiles }) };
}

/**
 * Paths on the podcast's own site, and numbers of posts there. Episode pages on the host's domain are left out: their
 * visitors never reach this site.
 */
function oldAddressesOf(channel: Node, addresses: string[]) {
  const own = hostOf(linkOf(textOf(channel, "link"), attributeOf(channel, "xml:base")));
  const urls = addresses.flatMap(
    (address) => URL.parse(address.trim().replaceAll(/&(?:amp|#0?38);/g, "&")) ?? [],
  );
  const paths = urls
    .filter(({ href }) => own !== "" && hostOf(href) === own)
    .map((url) => url.pathname + url.search);
  return [...new Set(paths.flatMap((path) => oldAddressOf(path) ?? []))];
}

const hostOf = (address: string) => (URL.parse(address)?.hostname ?? "").replace(/^www\./, "");

/** Seconds; 0 if not stated, or longer than an episode may be, such as milliseconds. */
function durationOf(text: string) {
  const seconds = Math.round(secondsOf(text));
  return seconds <= MAX_SECONDS ? seconds : 0;
}

const linkedFiles = (item: Node, name: string, base: string): LinkedFile[] =>
  childrenOf(item, name)
    .map((node) => ({
      url: linkOf(attributeOf(node, "url"), base),
      type: attributeOf(node, "type").toLowerCase(),
    }))
    .filter(({ url }) => url !== "");

/** Formats with times, and those that need the least conversion, first. */
const KINDS = [/vtt/, /subrip|srt/, /json/, /plain/, /html/];
const rankOf = ({ type, url }: LinkedFile) => {
  const rank = KINDS.findIndex((kind) => kind.test(type) || kind.test(url));
  return rank < 0 ? KINDS.length : rank;
};

/** Podlove Simple Chapters, which are part of the feed. */
const inlineChapters = (item: Node, base: string) =>
  chaptersOf(
    childrenOf(childOf(item, "psc:chapters") ?? {}, "psc:chapter").map((node) => ({
      start: secondsOf(attributeOf(node, "start")),
      title: attributeOf(node, "title"),
      url: attributeOf(node, "href"),
      img: attributeOf(node, "image"),
    })),
    base,
  ).slice(0, MOST_CHAPTERS);
