import { defaultTreeAdapter, parseFragment } from "parse5";
import type { Portrait } from "#worker/imports/feed/contract.ts";
import { attributeOf, rawText, textOf, type Node } from "#worker/imports/feed/node.ts";
import { personRoles } from "#worker/episodes/taxonomy.ts";
import {
  Discussion,
  Funding,
  MAX_SECONDS,
  Place,
  RemoteFeed,
  Txt,
  type Chapter,
  type Person,
  type Soundbite,
} from "#worker/episodes/contract.ts";

/** Converts values from feeds to those of episodes. Invalid ones are left out. */

const INVISIBLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/gu;

/** Characters that are read for a line: no line is that long, and a host may send megabytes. */
const MOST_READ = 10_000;

/** One line without invisible characters, with its references decoded, truncated to `max`. */
export const lineOf = (text: string, max: number) => {
  const decoded = withoutReferences(text.trim().slice(0, MOST_READ));
  const visible = joinedAt(BREAK, decoded).replace(INVISIBLE, "");
  return visible.trim().slice(0, max).toWellFormed().trim();
};

const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;

/** Decodes references twice: hosts write "Q &amp;amp; A", also within CDATA, and apps decode it. */
export function withoutReferences(text: string) {
  const once = text.replace(REFERENCE, characterOf);
  return once === text ? text : once.replace(REFERENCE, characterOf);
}

function characterOf(reference: string) {
  const [node] = parseFragment(reference).childNodes;
  return node && defaultTreeAdapter.isTextNode(node) ? node.value : reference;
}

const BREAK = /[\n\r\t\p{Zl}\p{Zp}]/u;

/**
 * Replaces white space that contains a break with one space. In one pass: a pattern that also looks for the break would
 * restart at each space of a long run.
 */
export const joinedAt = (lineBreak: RegExp, text: string) =>
  text.replace(/\s+/g, (space) => (lineBreak.test(space) ? " " : space));

/** Several lines without invisible characters. */
export const linesOf = (text: string, max: number) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(INVISIBLE, (char) => (char === "\n" || char === "\t" ? char : ""))
    .trim()
    .slice(0, max)
    .toWellFormed()
    .trim();

/** An http or https address, or an empty string. Relative addresses are resolved against `base`. */
export function linkOf(given: string, base = "") {
  const text = given.trim().replace(/&(?:amp|#0*38|#x0*26);/gi, "&");
  if (text === "") return "";
  const whole = URL.parse(text);
  const url = whole ?? URL.parse(text, base || undefined);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 2000) return "";
  return whole ? text : url.href;
}

/** Seconds of "1:02:03", "62:03" or "3723". */
export function secondsOf(text: string) {
  const parts = text.trim().split(":").map(Number);
  if (parts.length > 3 || parts.some((part) => !Number.isFinite(part) || part < 0)) return 0;
  return parts.reduce((total, part) => total * 60 + part, 0);
}

/** A whole number from 1, or null. */
export function numberOf(text: string) {
  const number = Number(text.trim() || Number.NaN);
  return Number.isInteger(number) && number >= 1 && number <= 100_000 ? number : null;
}

export const isYes = (text: string) => /^(?:yes|true|explicit|1)$/i.test(text.trim());

const MOST_PEOPLE = 50;

/** Whether an address is a person’s page at the site of the feed, if that is another Rostrum. */
export function isPageIn(channel: Node) {
  const site = linkOf(textOf(channel, "link"), attributeOf(channel, "xml:base"));
  const pages = textOf(channel, "generator") === "Rostrum" ? URL.parse("/people/", site)?.href : undefined;
  return (address: string) => pages !== undefined && address.startsWith(pages);
}

/** @param isPage whether an address is the person’s page at a site that has one for each, as this one does */
export const peopleOf = (nodes: Node[], base = "", isPage: (address: string) => boolean = () => false) =>
  nodes
    .map((node): Person => {
      const address = linkOf(attributeOf(node, "href"), base);
      const href = isPage(address) ? null : address || null;
      return { name: lineOf(rawText(node), 128), ...placeOf(node), href };
    })
    .filter(({ name }) => name !== "")
    .slice(0, MOST_PEOPLE);

/** The first picture of each of these people. */
export function portraitsOf(nodes: Node[], base = "") {
  const portraits = new Map<string, string>();
  for (const node of nodes) {
    const name = lineOf(rawText(node), 128);
    const url = linkOf(attributeOf(node, "img"), base);
    if (name !== "" && url !== "" && !portraits.has(name)) portraits.set(name, url);
  }
  return [...portraits].slice(0, MOST_PEOPLE).map(([name, url]): Portrait => ({ name, url }));
}

/** Group and role of the taxonomy; a person with an unknown role becomes a guest. */
function placeOf(node: Node) {
  const group = attributeOf(node, "group").toLowerCase() || "cast";
  const role = attributeOf(node, "role").toLowerCase() || "host";
  const has = (name: string) => Object.hasOwn(personRoles, name) && personRoles[name]!.includes(role);
  const found = has(group) ? group : Object.keys(personRoles).find(has);
  return found === undefined ? { group: "cast", role: "guest" } : { group: found, role };
}

/** Those that an episode or a podcast takes, the first of them. */
const fitting = <T>(
  schema: { safeParse(value: unknown): { success: boolean; data?: T } },
  most: number,
  given: unknown[],
) => given.flatMap((each) => schema.safeParse(each).data ?? []).slice(0, most);

export const fundingOf = (nodes: Node[], base = "") =>
  fitting(
    Funding,
    10,
    nodes.map((node) => ({ url: linkOf(attributeOf(node, "url"), base), text: lineOf(rawText(node), 128) })),
  );

/** An attribute that is not in its format is left out. */
export const placesOf = (nodes: Node[]) =>
  fitting(
    Place,
    10,
    nodes.map((node) => {
      const given = {
        rel: attributeOf(node, "rel"),
        geo: attributeOf(node, "geo").replace(/^geo:/, "").split(";")[0] ?? "",
        osm: attributeOf(node, "osm"),
        country: attributeOf(node, "country"),
      };
      const fields = Object.entries(given).filter(
        ([name, value]) => Place.shape[name as keyof typeof given].safeParse(value).success,
      );
      return { name: lineOf(rawText(node), 128), ...Object.fromEntries(fields) };
    }),
  );

/** The most important first. */
export const discussionsOf = (nodes: Node[], base = "") =>
  fitting(
    Discussion,
    10,
    nodes
      .toSorted((a, b) => priorityOf(a) - priorityOf(b))
      .map((node) => ({
        protocol: attributeOf(node, "protocol").toLowerCase(),
        // Castopod’s first versions have it as the text.
        url: linkOf(attributeOf(node, "uri") || rawText(node), base),
        account: lineOf(attributeOf(node, "accountId"), 128),
      })),
  );

const priorityOf = (node: Node) => Number(attributeOf(node, "priority") || Infinity);

/** podcast:remoteItem. Those without an address are left out: only the Podcast Index knows where their feeds are. */
export const remoteFeedsOf = (nodes: Node[], base = "") =>
  fitting(
    RemoteFeed,
    50,
    nodes.map((node) => ({
      title: lineOf(attributeOf(node, "title"), 128),
      url: linkOf(attributeOf(node, "feedUrl"), base),
      guid: attributeOf(node, "feedGuid"),
    })),
  );

/** Without codes that prove to a service who owns the feed at its old address. */
export const txtsOf = (nodes: Node[]) =>
  fitting(
    Txt,
    20,
    nodes
      .map((node) => ({
        purpose: lineOf(attributeOf(node, "purpose"), 128),
        text: linesOf(rawText(node), 4000),
      }))
      .filter(({ purpose }) => !/verify/i.test(purpose)),
  );

const AI_CONTENT = "ai-content";

/** Whether one of these podcast:txt says that the episode was made with AI. */
export const disclosesAi = (nodes: Node[]) =>
  nodes.some((node) => attributeOf(node, "purpose").toLowerCase() === AI_CONTENT && isYes(rawText(node)));

/** Whether some of these say something else. */
export const hasOtherTxts = (nodes: Node[]) =>
  nodes.some((node) => attributeOf(node, "purpose").toLowerCase() !== AI_CONTENT);

const MOST_SOUNDBITES = 20;

export const soundbitesOf = (nodes: Node[]) =>
  nodes
    .map((node): Soundbite => ({
      start: Number(attributeOf(node, "startTime")),
      duration: Number(attributeOf(node, "duration")),
      title: lineOf(rawText(node), 128),
    }))
    .filter(
      ({ start, duration }) => start >= 0 && Number.isFinite(start) && duration >= 15 && duration <= 120,
    )
    .slice(0, MOST_SOUNDBITES);

type RawChapter = { start: number; title: string; url: string; img?: string; end?: number; toc?: boolean };

/** In order, one for each time. There may be more than an episode takes. */
export function chaptersOf(raw: RawChapter[], base = ""): Chapter[] {
  const known = new Set<number>();
  return raw
    .map(({ start, title, url, img = "", end, toc }) => {
      const picture = linkOf(img, base);
      const link = linkOf(url, base) || null;
      return {
        start,
        title: lineOf(title, 200),
        url: link,
        ...(picture && { img: picture }),
        ...(end !== undefined && end <= MAX_SECONDS && { end }),
        ...(toc === false && { toc }),
      };
    })
    .filter(({ start, title }) => start >= 0 && Number.isFinite(start) && title !== "")
    .filter(({ start }) => !known.has(start) && known.add(start))
    .toSorted((a, b) => a.start - b.start);
}
