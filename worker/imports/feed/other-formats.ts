import { attributeOf, childOf, childrenOf, rawText, textOf, type Node } from "#worker/imports/feed/node.ts";

/** Feeds in RSS 1.0 and Atom, by the names of RSS 2.0. */

/** The items of RSS 1.0 are beside the channel, and so is its picture. */
export function channelOfRdf(rdf: Node): Node | undefined {
  const channel = childOf(rdf, "channel");
  if (!channel) return undefined;
  const { items: _items, ...rest } = channel;
  const item = childrenOf(rdf, "item").map((each) => ({
    guid: attributeOf(each, "rdf:about"),
    ...each,
  }));
  return { ...rest, item, ...(rdf["image"] !== undefined && { image: rdf["image"] }) };
}

export function channelOfAtom(feed: Node): Node {
  return {
    ...othersOf(feed),
    "atom:link": feed["atom:link"],
    title: wordsOf(feed, "atom:title"),
    description: wordsOf(feed, "atom:subtitle") || wordsOf(feed, "atom:tagline"),
    copyright: wordsOf(feed, "atom:rights") || wordsOf(feed, "atom:copyright"),
    language: attributeOf(feed, "xml:lang"),
    author: nameOf(feed),
    image: { url: textOf(feed, "atom:logo", "atom:icon") },
    item: childrenOf(feed, "atom:entry").map(itemOf),
  };
}

function itemOf(entry: Node): Node {
  const published = textOf(entry, "atom:published", "atom:issued", "atom:created");
  const content = childOf(entry, "atom:content");
  const isElsewhere = attributeOf(content, "src") !== "";
  return {
    ...othersOf(entry),
    title: wordsOf(entry, "atom:title"),
    guid: textOf(entry, "atom:id"),
    pubDate: published || textOf(entry, "atom:updated", "atom:modified"),
    "@_isDatedByChange": published === "" ? "yes" : "",
    link: linksOf(entry, "alternate").map((link) => attributeOf(link, "href"))[0] ?? "",
    description: wordsOf(entry, "atom:summary"),
    "content:encoded": isElsewhere ? "" : wordsOf(entry, "atom:content"),
    author: nameOf(entry),
    enclosure: linksOf(entry, "enclosure").map((link) => ({
      "@_url": attributeOf(link, "href"),
      "@_type": attributeOf(link, "type"),
      "@_length": attributeOf(link, "length"),
    })),
  };
}

/** Tags of podcasts, and attributes. */
const othersOf = (node: Node): Node =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !name.startsWith("atom:")));

const linksOf = (node: Node, relation: string) =>
  childrenOf(node, "atom:link").filter((link) => (attributeOf(link, "rel") || "alternate") === relation);

const nameOf = (node: Node) => textOf(childOf(node, "atom:author") ?? {}, "atom:name");

/** Text, or HTML as text: HTML as elements is made that before the feed is parsed (xhtml.ts). */
const wordsOf = (node: Node, name: string) => rawText(childOf(node, name)).trim();
