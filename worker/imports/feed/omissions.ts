import { MOST_CHAPTERS } from "#worker/episodes/contract.ts";
import { personRoles } from "#worker/episodes/taxonomy.ts";
import type { FeedEpisode } from "#worker/imports/feed/contract.ts";
import { losesFurtherFiles } from "#worker/imports/feed/enclosures.ts";
import { authorOf } from "#worker/imports/feed/facts.ts";
import { attributeOf, childOf, childrenOf, rawText, textOf, type Node } from "#worker/imports/feed/node.ts";
import { plainOf, playersLost } from "#worker/imports/feed/notes.ts";
import { hasOtherTxts, joinedAt } from "#worker/imports/feed/values.ts";

/** Characters, as an episode takes them. */
export const MOST_DESCRIPTION = 4000;
const MAX_TITLE = 255;

type Episode = Omit<FeedEpisode, "omissions">;
type About = {
  channel: Node;
  timeZone: string;
  /** Whether its date names a zone. */
  hasZone: boolean;
  audioFiles: number;
};

/** One sentence for each thing that is left out or simplified when an item is imported; many items share them. */
export function omissionsOf(
  item: Node,
  episode: Episode,
  { channel, timeZone, hasZone, audioFiles }: About,
): string[] {
  const has = (sentence: string, isSo: boolean) => (isSo ? [sentence] : []);
  return [
    ...has(`Its date names no time zone, so it is read as a date in ${timeZone}.`, !hasZone),
    ...has(
      "The feed says only when it was last changed, which becomes its date.",
      attributeOf(item, "isDatedByChange") === "yes",
    ),
    ...has("Its title is cut after 255 characters.", titleLength(item) > MAX_TITLE),
    ...has("Its description is cut after 4,000 characters.", isTooLong(episode.summary)),
    ...notesOmissions(episode),
    ...numberOmissions(item, episode),
    ...has("It has several audio files, of which the one that most apps play is imported.", audioFiles > 1),
    ...fileOmissions(item, episode),
    ...has(
      "Some of its further files aren’t imported: they are streams, are not on the web, or are too many.",
      losesFurtherFiles(item, episode.furtherFiles?.length ?? 0),
    ),
    ...peopleOmissions(item, episode),
    ...has("Its own author isn’t imported.", hasOwnAuthor(item, channel)),
    ...has("The link to its old page isn’t imported.", episode.link !== "" && !hasPlace(episode.link)),
    ...has(
      "Its feed discloses the use of AI. It is marked; Settings → Transcripts says whether this site discloses it.",
      episode.isGenerated === true,
    ),
    ...has("Its “podcast:txt” isn’t imported.", hasOtherTxts(childrenOf(item, "podcast:txt"))),
    ...unreadElements(item),
  ];
}

const titleLength = (item: Node) => joinedAt(/\n/, textOf(item, "title", "itunes:title")).length;

const isTooLong = (summary: string) =>
  summary.length > MOST_DESCRIPTION && plainOf(summary).length > MOST_DESCRIPTION;

function notesOmissions({ notes }: Episode) {
  const shows = (names: RegExp) => names.test(notes);
  return [
    ...playersLost(notes),
    ...(shows(/<(?:form|input|select|textarea|button)\b/i) ? ["Forms in its notes aren’t imported."] : []),
    ...(shows(/<img\b/i) ? ["Pictures in its notes stay at the old host."] : []),
  ];
}

function numberOmissions(item: Node, { episodeType, episodeNumber, seasonNumber }: Episode) {
  const given = (...names: string[]) => textOf(item, ...names) !== "";
  return [
    ...(episodeType === "trailer" && episodeNumber !== null
      ? ["It is a trailer, so its episode number isn’t imported."]
      : []),
    ...(episodeNumber === null && given("itunes:episode", "podcast:episode")
      ? ["Its episode number isn’t a whole number from 1, so it isn’t imported."]
      : []),
    ...(seasonNumber === null && given("itunes:season", "podcast:season")
      ? ["Its season isn’t a whole number from 1, so it isn’t imported."]
      : []),
    ...(/^(?:yes|true|explicit|1|no|false|clean|0|)$/i.test(textOf(item, "itunes:explicit"))
      ? []
      : ["It doesn’t say clearly whether it is explicit, so it comes as not explicit."]),
  ];
}

function fileOmissions(item: Node, episode: Episode) {
  const chapters = childrenOf(childOf(item, "psc:chapters") ?? {}, "psc:chapter").length;
  const transcripts = childrenOf(item, "podcast:transcript").map((node) => attributeOf(node, "language"));
  const pictures = ["itunes:image", "podcast:image"].flatMap((name) => childrenOf(item, name));
  const hasAddress = pictures.some((node) => attributeOf(node, "href") || rawText(node).trim());
  return [
    ...(episode.chapters.length < chapters && !episode.chaptersFile ? [chapterOmission(episode)] : []),
    ...(new Set(transcripts).size > 1
      ? ["It has transcripts in several languages, of which one is imported."]
      : []),
    ...(pictures.length > 0 && !hasAddress ? ["Its picture has no address, so it isn’t imported."] : []),
    ...(episode.soundbites.length < childrenOf(item, "podcast:soundbite").length
      ? ["A soundbite that doesn’t last 15 to 120 seconds isn’t imported."]
      : []),
  ];
}

const chapterOmission = ({ chapters }: Episode) =>
  chapters.length < MOST_CHAPTERS ? ONLY_CHAPTERS_OF_THEIR_OWN : ONLY_FIRST_CHAPTERS;

export const ONLY_CHAPTERS_OF_THEIR_OWN = "Chapters without a title or a time of their own aren’t imported.";

export const ONLY_FIRST_CHAPTERS = `Only its first ${MOST_CHAPTERS} chapters are imported.`;

const knownRoles = new Set(Object.values(personRoles).flat());

function peopleOmissions(item: Node, { people }: Episode) {
  const nodes = childrenOf(item, "podcast:person");
  const roles = nodes.map((node) => attributeOf(node, "role").toLowerCase());
  return [
    ...(people.length < nodes.length
      ? ["Some of its people aren’t imported: they have no name, or are too many."]
      : []),
    ...(roles.some((role) => role !== "" && !knownRoles.has(role))
      ? ["A role that apps don’t know becomes “guest”."]
      : []),
  ];
}

function hasOwnAuthor(item: Node, channel: Node) {
  const own = authorOf(item);
  return own !== "" && own !== authorOf(channel);
}

/** Links to these have their own fields in an episode. */
export const linkPlaces = [
  ["youtubeUrl", /(?:^|\.)(?:youtube\.com|youtu\.be)$/],
  ["spotifyUrl", /(?:^|\.)spotify\.com$/],
  ["appleUrl", /^podcasts\.apple\.com$/],
] as const;

const hasPlace = (link: string) => {
  const host = URL.parse(link)?.hostname ?? "";
  return linkPlaces.some(([, at]) => at.test(host));
};

/** What is read, or says the same as what is. */
const read = new Set([
  ..."title guid pubDate link description enclosure author image".split(" "),
  ..."title image duration season episode episodeType explicit block summary subtitle author order"
    .split(" ")
    .map((name) => `itunes:${name}`),
  ..."image season episode chapters transcript person soundbite funding location contentLink socialInteract alternateEnclosure images txt"
    .split(" ")
    .map((name) => `podcast:${name}`),
  ..."title description content group thumbnail".split(" ").map((name) => `media:${name}`),
  ..."description image explicit block author".split(" ").map((name) => `googleplay:${name}`),
  ..."date creator".split(" ").map((name) => `dc:${name}`),
  ..."created issued modified".split(" ").map((name) => `dcterms:${name}`),
  ..."content:encoded psc:chapters enc:enclosure atom:link".split(" "),
]);

/** Elements of one item that are named. */
const MOST_NAMED = 12;

/** @param also What is read besides. */
export const unreadElements = (node: Node, also: ReadonlySet<string> = new Set()) =>
  Object.keys(node)
    .filter((name) => !name.startsWith("@_") && name !== "#text" && !read.has(name) && !also.has(name))
    .slice(0, MOST_NAMED)
    .map((name) => `Its “${name.slice(0, 60)}” isn’t imported.`);
