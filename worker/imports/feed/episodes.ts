import {
  attributeOf,
  childOf,
  childrenOf,
  rawText,
  textOf,
  type Node,
} from "#worker/imports/feed/document.ts";
import { MAX_SECONDS } from "#worker/episodes/contract.ts";
import type { FeedEpisode, LinkedFile } from "#worker/imports/feed/contract.ts";
import {
  chaptersOf,
  dateOf,
  isYes,
  lineOf,
  linkOf,
  numberOf,
  peopleOf,
  secondsOf,
  soundbitesOf,
} from "#worker/imports/feed/values.ts";

/** Characters of a text that is kept. Notes have 100,000 of Markdown at most, and HTML is longer. */
export const MOST_NOTES = 400_000;
const MAX_TITLE = 255;

/** The episodes of a channel in its order. */
export function episodesOf(channel: Node): FeedEpisode[] {
  const artwork = artworkOf(channel);
  return childrenOf(channel, "item").map((item) => episodeOf(item, artwork));
}

/** The address of the podcast's own picture. */
export const artworkOf = (channel: Node) =>
  imageOf(channel) || linkOf(textOf(childOf(channel, "image") ?? {}, "url"));

const imageOf = (node: Node) =>
  linkOf(attributeOf(childOf(node, "itunes:image"), "href")) ||
  linkOf(attributeOf(childOf(node, "podcast:image"), "href"));

function episodeOf(item: Node, artwork: string): FeedEpisode {
  const audio = audioOf(item);
  const guid = rawText(childOf(item, "guid"));
  const imageUrl = imageOf(item);
  const type = textOf(item, "itunes:episodeType").toLowerCase();
  return {
    guid: guid.trim() === "" ? (audio?.url ?? "") : guid,
    title: lineOf(textOf(item, "title", "itunes:title"), MAX_TITLE),
    publishedAt: dateOf(textOf(item, "pubDate", "dc:date")),
    link: linkOf(textOf(item, "link")),
    audio,
    durationSeconds: durationOf(textOf(item, "itunes:duration")),
    seasonNumber: numberOf(textOf(item, "itunes:season", "podcast:season")),
    episodeNumber: numberOf(textOf(item, "itunes:episode", "podcast:episode")),
    episodeType: type === "trailer" || type === "bonus" ? type : "full",
    explicit: isYes(textOf(item, "itunes:explicit")),
    blocked: isYes(textOf(item, "itunes:block")),
    summary: textOf(item, "description", "itunes:summary", "itunes:subtitle").slice(0, MOST_NOTES),
    notes: textOf(item, "content:encoded", "description", "itunes:summary").slice(0, MOST_NOTES),
    imageUrl: imageUrl === artwork ? "" : imageUrl,
    chapters: inlineChapters(item),
    chaptersFile: linkedFiles(item, "podcast:chapters")[0] ?? null,
    transcripts: linkedFiles(item, "podcast:transcript").toSorted((a, b) => rankOf(a) - rankOf(b)),
    people: peopleOf(childrenOf(item, "podcast:person")),
    soundbites: soundbitesOf(childrenOf(item, "podcast:soundbite")),
  };
}

/** Seconds; 0, as where none are stated, for more than an episode may be long, such as milliseconds. */
function durationOf(text: string) {
  const seconds = Math.round(secondsOf(text));
  return seconds <= MAX_SECONDS ? seconds : 0;
}

/** Sound before pictures that move, where there are several. */
function audioOf(item: Node): FeedEpisode["audio"] {
  const all = childrenOf(item, "enclosure").map((node) => ({
    url: attributeOf(node, "url"),
    type: attributeOf(node, "type").toLowerCase(),
    size: Math.max(0, Math.trunc(Number(attributeOf(node, "length"))) || 0),
  }));
  const usable = all.filter(({ url }) => linkOf(url) !== "");
  return usable.find(({ type }) => type.startsWith("audio/")) ?? usable[0] ?? null;
}

const linkedFiles = (item: Node, name: string): LinkedFile[] =>
  childrenOf(item, name)
    .map((node) => ({ url: linkOf(attributeOf(node, "url")), type: attributeOf(node, "type").toLowerCase() }))
    .filter(({ url }) => url !== "");

/** Those with times, and with the least to be converted, first. */
const KINDS = [/vtt/, /subrip|srt/, /json/, /plain/, /html/];
const rankOf = ({ type, url }: LinkedFile) => {
  const rank = KINDS.findIndex((kind) => kind.test(type) || kind.test(url));
  return rank < 0 ? KINDS.length : rank;
};

/** Podlove Simple Chapters, which stand within the feed. */
const inlineChapters = (item: Node) =>
  chaptersOf(
    childrenOf(childOf(item, "psc:chapters") ?? {}, "psc:chapter").map((node) => ({
      start: secondsOf(attributeOf(node, "start")),
      title: attributeOf(node, "title"),
      url: attributeOf(node, "href"),
    })),
  );
