import { XMLParser, XMLValidator } from "fast-xml-parser";
import { beginningOfXml } from "#worker/imports/beginning-of-xml.ts";
import { withNamedPrefixes } from "#worker/imports/feed/namespaces.ts";
import { channelOfAtom, channelOfRdf } from "#worker/imports/feed/other-formats.ts";
import { upToLastTag } from "#worker/platform/text/tags.ts";
import { baseOf, childOf, type Node } from "#worker/imports/feed/node.ts";
import { withXhtmlAsHtml } from "#worker/imports/feed/xhtml.ts";
import { withReferences } from "#worker/imports/references.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logWarning } from "#worker/platform/log.ts";

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  // A GUID is stored byte for byte.
  trimValues: false,
  // The five of XML, and characters by their number; a feed that declares others is refused.
  processEntities: true,
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

export const refusal = (message: string) => new AppError("invalid", message, { field: "url" });

/**
 * The channel of a feed in RSS 2.0, RSS 1.0 or Atom, with the names of RSS 2.0 and the usual prefixes. Its addresses
 * are relative to its `xml:base`.
 * @param address The feed's own address.
 * @throws `invalid` beside the address if it is not a feed, or not well-formed
 */
export function readChannel(given: string, address = ""): Node {
  const beginning = beginningOfXml(given);
  let text = given.slice(beginning);
  const start = text.slice(0, 2000).toLowerCase();
  if (/^(?:<!doctype html|<html)/.test(start)) throw refusal(webPage(text));
  if (!start.startsWith("<")) throw refusal("This address isn’t a feed.");
  if (declaresEntities(text)) throw refusal("This feed declares its own entities, which can’t be read.");
  let checked = XMLValidator.validate(text);
  if (checked !== true && text.length <= MOST_MENDED) {
    // As apps do, which read “Tom & Jerry” in a title and in an address.
    const mended = withReferences(text);
    const added = mended.length - text.length;
    if (added > 0 && added <= MOST_ADDED && XMLValidator.validate(mended) === true)
      [text, checked] = [mended, true];
  }
  if (checked !== true) {
    const { line, msg } = checked.err;
    const before = given.slice(0, beginning).split("\n").length - 1;
    throw refusal(
      `The feed is broken in line ${line + before}: ${msg.slice(0, 200)} Ask the old host to fix it.`,
    );
  }
  const root = withNamedPrefixes(parse(withXhtmlAsHtml(text)));
  const [rss, rdf, atom] = ["rss", "rdf:RDF", "atom:feed"].map((name) => childOf(root, name));
  const channel = rss ? childOf(rss, "channel") : rdf ? channelOfRdf(rdf) : atom && channelOfAtom(atom);
  if (!channel) throw refusal("This XML isn’t a podcast feed.");
  return { ...channel, "@_xml:base": baseOf(channel, baseOf(rss ?? rdf ?? atom, address)) };
}

/** Characters of a feed that is repaired in memory, and that the repair adds, four for each &. */
const MOST_MENDED = 4_000_000;
const MOST_ADDED = 400_000;

/** Before its first item: notes may be about them. */
function declaresEntities(text: string) {
  const first = text.search(/<(?:[\w-]+:)?(?:channel|entry|item)[\s>]/i);
  const doctype = text.search(/<!doctype/i);
  return doctype >= 0 && (first < 0 || doctype < first) && /<!ENTITY/i.test(text);
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

/** Characters of a page in whose head the feed's address is searched. */
const MOST_PAGE = 1_000_000;

/** Many pages link to their feed. */
function webPage(text: string) {
  const links = upToLastTag(text.slice(0, MOST_PAGE)).match(/<link\b[^>]*>/gi) ?? [];
  const link = links.find((each) => /\btype=["']?application\/rss\+xml/i.test(each)) ?? "";
  const href = /\bhref=["']?([^"'\s>]+)/i.exec(link)?.[1];
  const found = href ? ` It links to this feed: ${href.slice(0, 300)}` : "";
  return `This address is a web page, not a feed.${found}`;
}
