import { ShowInput } from "#worker/episodes/contract.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { categoryOf } from "#worker/imports/feed/categories.ts";
import { factNames, type FeedFacts } from "#worker/imports/feed/contract.ts";
import { attributeOf, childOf, childrenOf, rawText, textOf, type Node } from "#worker/imports/feed/node.ts";
import { artworkOf, MOST_NOTES } from "#worker/imports/feed/episodes.ts";
import { languageOf } from "#worker/imports/feed/language.ts";
import { plainOf } from "#worker/imports/feed/notes.ts";
import { unreadElements } from "#worker/imports/feed/omissions.ts";
import {
  fundingOf,
  isPageIn,
  isYes,
  lineOf,
  linesOf,
  linkOf,
  peopleOf,
  placesOf,
  remoteFeedsOf,
  txtsOf,
} from "#worker/imports/feed/values.ts";

/** Whether the feed is locked, and who may move it. */
export type Lock = { isLocked: boolean; owners: string[] };

export function lockOf(channel: Node): Lock {
  const locked = childOf(channel, "podcast:locked");
  const owner = childOf(channel, "itunes:owner") ?? {};
  const owners = [attributeOf(locked, "owner"), textOf(owner, "itunes:email")];
  return {
    isLocked: isYes(rawText(locked)),
    owners: owners.map((address) => address.trim().toLowerCase()).filter((address) => address !== ""),
  };
}

/** What the channel says of the podcast, as far as a show can have it. Without a podcast:guid, that of the address. */
export function factsOf(channel: Node, feedUrl: string): FeedFacts {
  const guid = textOf(channel, "podcast:guid");
  const given: FeedFacts = {
    ...wordsOf(channel),
    ...choicesOf(channel),
    ...tagsOf(channel),
    guid: isUuid(guid) ? guid.toLowerCase() : podcastGuid(feedUrl),
    artwork: artworkOf(channel),
  };
  const fitting = factNames.filter((name) => isFitting(given, name));
  return Object.fromEntries(fitting.map((name) => [name, given[name]]));
}

const isUuid = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

function wordsOf(channel: Node): FeedFacts {
  const owner = childOf(channel, "itunes:owner") ?? {};
  const description = textOf(channel, "description", "itunes:summary").slice(0, MOST_NOTES);
  return {
    title: lineOf(textOf(channel, "title"), 255),
    subtitle: lineOf(textOf(channel, "itunes:subtitle"), 255),
    description: within(linesOf(plainOf(description), 4000), 4000),
    author: authorOf(channel),
    ownerName: lineOf(textOf(owner, "itunes:name"), 255),
    ownerEmail: textOf(owner, "itunes:email"),
    copyright: lineOf(textOf(channel, "copyright"), 255),
  };
}

/** As many whole characters as there are in so many bytes. */
function within(text: string, bytes: number) {
  const encoded = new TextEncoder().encode(text);
  return encoded.length <= bytes
    ? text
    : new TextDecoder()
        .decode(encoded.subarray(0, bytes))
        .replace(/\ufffd+$/, "")
        .trim();
}

function choicesOf(channel: Node): FeedFacts {
  const language = languageOf(textOf(channel, "language", "dc:language"));
  const type = textOf(channel, "itunes:type").toLowerCase();
  const frequency = childOf(channel, "podcast:updateFrequency");
  return {
    ...(language !== null && { language }),
    ...categoryOf(channel),
    ...(textOf(channel, "itunes:explicit") && { explicit: isYes(textOf(channel, "itunes:explicit")) }),
    ...((type === "episodic" || type === "serial") && { type }),
    ...((isYes(textOf(channel, "itunes:complete")) || isYes(attributeOf(frequency, "complete"))) && {
      complete: true,
    }),
    ...(isYes(textOf(channel, "itunes:block")) && { blocked: true }),
  };
}

function tagsOf(channel: Node): FeedFacts {
  const frequency = childOf(channel, "podcast:updateFrequency");
  const license = childOf(channel, "podcast:license");
  const base = attributeOf(channel, "xml:base");
  const remoteItems = (name: string) => childrenOf(childOf(channel, name) ?? {}, "podcast:remoteItem");
  const [publisher] = remoteFeedsOf(remoteItems("podcast:publisher"), base);
  return {
    funding: fundingOf(childrenOf(channel, "podcast:funding"), base),
    updateFrequency: lineOf(rawText(frequency), 128),
    updateRule: attributeOf(frequency, "rrule"),
    people: peopleOf(childrenOf(channel, "podcast:person"), base, isPageIn(channel)),
    license: lineOf(rawText(license), 128),
    licenseUrl: linkOf(attributeOf(license, "url"), base),
    places: placesOf(childrenOf(channel, "podcast:location")),
    podroll: remoteFeedsOf(remoteItems("podcast:podroll"), base),
    publisherUrl: publisher?.url ?? "",
    publisherGuid: publisher?.guid ?? "",
    txts: txtsOf(childrenOf(channel, "podcast:txt")),
  };
}

/** Whether there is something, and a show takes it. */
function isFitting(given: FeedFacts, name: (typeof factNames)[number]) {
  const value = given[name];
  if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return false;
  if (name === "guid" || name === "artwork") return true;
  const companions = {
    license: given.license,
    licenseUrl: given.licenseUrl || null,
    publisherUrl: given.publisherUrl || null,
  };
  const isOfThem = name.startsWith("license") || name.startsWith("publisher");
  const show = { title: "T", description: "D", author: "A", category: "Arts" };
  return ShowInput.safeParse({ ...show, ...(isOfThem && companions), [name]: value }).success;
}

/** What the channel says of the podcast that no fact takes over, or only in part: sentences. */
export function remarksOf(channel: Node, facts: FeedFacts): string[] {
  const given = (...names: string[]) => lineOf(textOf(channel, ...names), 100);
  const categories = childrenOf(channel, "itunes:category").map((node) =>
    lineOf(attributeOf(node, "text"), 100),
  );
  const [category = ""] = categories;
  const description = plainOf(textOf(channel, "description", "itunes:summary").slice(0, MOST_NOTES));
  const owner = childOf(channel, "itunes:owner") ?? {};
  const about = (name: string, text: string, isKept: boolean) =>
    text === "" || isKept ? [] : [`Its ${name} “${text}” can’t be imported.`];
  return [
    ...about("language", given("language", "dc:language"), facts.language !== undefined),
    ...about("category", category, facts.category !== undefined),
    ...(category !== "" && facts.category !== undefined && facts.category !== category
      ? [`Its category “${category}” becomes “${facts.category}”.`]
      : []),
    ...(categories.length > 1 ? ["Of its categories, one is imported."] : []),
    ...about("owner’s email", lineOf(textOf(owner, "itunes:email"), 100), facts.ownerEmail !== undefined),
    ...(facts.description !== undefined && facts.description.length < description.length
      ? ["Its description is cut after 4,000 bytes."]
      : []),
    ...unreadElements(channel, CHANNEL_ELEMENTS),
  ].map((sentence) => `The podcast: ${sentence}`);
}

const CHANNEL_ELEMENTS = new Set(
  "item lastBuildDate generator docs ttl language copyright managingEditor webMaster itunes:owner itunes:category itunes:type itunes:complete itunes:new-feed-url itunes:keywords podcast:guid podcast:locked podcast:funding podcast:person podcast:updateFrequency podcast:license podcast:location podcast:podroll podcast:publisher podcast:txt podcast:medium podcast:podping podcast:images podcast:block googleplay:owner googleplay:category googleplay:email dc:language".split(
    " ",
  ),
);

const ADDRESS = /[^\s<>()"',;:]+@[^\s<>()"',;:]+/g;

/** Who made it: a name, never the email address that RSS has beside it, as in "wren@a.example (Wren Hollis)". */
export const authorOf = (node: Node) =>
  ["itunes:author", "author", "managingEditor", "dc:creator", "googleplay:author"]
    .map((name) => nameIn(lineOf(textOf(node, name), 255)))
    .find((name) => name !== "") ?? "";

const nameIn = (text: string) =>
  text.includes("@")
    ? text
        .replace(ADDRESS, " ")
        .replace(/\bmailto:/gi, " ")
        .replace(/[<>()"]/g, " ")
        .replace(/\s+/g, " ")
        .replace(/^[\s,;:|-]+|[\s,;:|-]+$/g, "")
    : text;
