import { XMLParser, XMLValidator } from "fast-xml-parser";
import { upToLastTag } from "#worker/imports/feed/tags.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logWarning } from "#worker/platform/log.ts";

/** An element as it is read: attributes by `@_name`, its text by `#text` or alone. */
export type Node = { [name: string]: unknown };

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  // A GUID is kept byte for byte.
  trimValues: false,
  // The five of XML, and characters by their number; a feed that declares others is refused.
  processEntities: true,
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

export const refusal = (message: string) => new AppError("invalid", message, { field: "url" });

/**
 * The channel of an RSS feed.
 * @throws `invalid` beside the address for what is no feed, or not well-formed
 */
export function readChannel(text: string): Node {
  const start = text.slice(0, 2000).trimStart().toLowerCase();
  if (/^(?:<!doctype html|<html)/.test(start)) throw refusal(webPage(text));
  if (!start.startsWith("<")) throw refusal("This address isn’t a feed.");
  if (/<!ENTITY/i.test(text.slice(0, text.indexOf("<channel") + 1 || 20_000)))
    throw refusal("This feed declares its own entities, which can’t be read.");
  const checked = XMLValidator.validate(text);
  if (checked !== true) {
    const { line, msg } = checked.err;
    throw refusal(`The feed is broken in line ${line}: ${msg.slice(0, 200)} Ask the old host to fix it.`);
  }
  const { rss, feed, "rdf:RDF": rdf } = parse(text);
  const channel = childOf(rss, "channel");
  if (channel) return channel;
  if (feed !== undefined || rdf !== undefined)
    throw refusal("This isn’t a podcast feed. Podcasts use RSS 2.0, and this is another kind.");
  throw refusal("This XML isn’t a podcast feed.");
}

/** What is well-formed is refused for what no feed has: elements a hundred deep, or by the names of JavaScript's own. */
function parse(text: string): Node {
  try {
    return parser.parse(text) as Node;
  } catch (error) {
    logWarning("imports: a feed was not read", error);
    throw refusal("This feed has unknown elements, or too many nested ones. Ask the old host to fix it.");
  }
}

/** Characters of a page, of which the head says where its feed is. */
const MOST_PAGE = 1_000_000;

/** Many pages say where their feed is. */
function webPage(text: string) {
  const links = upToLastTag(text.slice(0, MOST_PAGE)).match(/<link\b[^>]*>/gi) ?? [];
  const link = links.find((each) => /\btype=["']?application\/rss\+xml/i.test(each)) ?? "";
  const href = /\bhref=["']?([^"'\s>]+)/i.exec(link)?.[1];
  const found = href ? ` It links to this feed: ${href.slice(0, 300)}` : "";
  return `This address is a web page, not a feed.${found}`;
}

export const childrenOf = (node: Node, name: string): Node[] => {
  const value = node[name];
  const all = Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];
  return all.map((each) => (typeof each === "object" && each !== null ? (each as Node) : { "#text": each }));
};

export const childOf = (parent: unknown, name: string): Node | undefined =>
  typeof parent === "object" && parent !== null ? childrenOf(parent as Node, name)[0] : undefined;

/** The text of an element, as it stands there. */
export const rawText = (node: Node | undefined) => String(node?.["#text"] ?? "");

/** The text of the first child of one of these names that has some. */
export function textOf(node: Node, ...names: string[]) {
  for (const name of names) {
    const text = childrenOf(node, name)
      .map(rawText)
      .find((each) => each.trim() !== "");
    if (text !== undefined) return text.trim();
  }
  return "";
}

export const attributeOf = (node: Node | undefined, name: string) => String(node?.[`@_${name}`] ?? "").trim();
