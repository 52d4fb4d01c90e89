import type { Element, ElementContent, Root } from "hast";
import rehypeRemark from "rehype-remark";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { MOST_PICTURES, PICTURE } from "#worker/imports/importers/contract.ts";
import { rewriteForMarkdown } from "#worker/platform/text/html-before-markdown.ts";
import { style, syntax } from "#worker/platform/text/markdown-syntax.ts";
import { addressOf, decoded } from "./addresses.ts";
import { DRAWING, replaceEmbeds } from "./embeds.ts";
import { nameFiles, nameLosses } from "./losses.ts";
import { footnoteHandlers, markFootnotes } from "./footnotes.ts";
import { elementsIn, find, hasClass, property, replace, text, wordsOf } from "./tree.ts";

/** Parses HTML like a browser, without running or loading anything. */
export type ParseHtml = (html: string) => Root;

type Place = {
  /** The article's own address at its place, the base of relative addresses; null if unknown. */
  base: string | null;
  /** The path here for a page of the old site; null for one that is not imported. */
  moved: (url: URL) => string | null;
};

export type Converted = {
  /** Markdown. */
  content: string;
  /** The addresses of its pictures, without duplicates. */
  pictures: string[];
  notes: string[];
};

const processor = unified()
  .use(rehypeRemark, { handlers: footnoteHandlers })
  .use(syntax)
  .use(remarkStringify, style)
  .freeze();

/** Converts HTML of another place to Markdown. `pictures` may already contain some: the article's cover. */
export function convert(tree: Root, place: Place, pictures: string[] = []): Converted {
  const prepared = prepare(tree, place, pictures);
  rewriteForMarkdown(tree);
  mendMarks(tree);
  mendLinks(tree, place);
  return { ...prepared, content: processor.stringify(processor.runSync(tree)).trim() };
}

/**
 * For the plan: the pictures in HTML of another place, and notes on what its conversion leaves out. Changes the tree.
 */
export function prepare(tree: Root, place: Place, pictures: string[] = []): Omit<Converted, "content"> {
  const notes = new Set<string>();
  const list = [...pictures];
  markFootnotes(tree);
  nameLosses(tree, notes);
  nameFiles(tree, place.base, notes);
  replaceEmbeds(tree, notes);
  replace(tree, (node) => withoutEnlarging(node, place));
  replace(tree, (node) => (node.tagName === "img" ? pictureOf(node, place, list, notes) : null));
  return { pictures: list, notes: [...notes] };
}

/** A picture that links to its own larger version: the larger one is used. */
function withoutEnlarging(node: Element, { base }: Place): ElementContent[] | null {
  if (node.tagName !== "a" || wordsOf(node).trim() !== "") return null;
  const picture = find(node, ({ tagName }) => tagName === "img");
  const large = addressOf(property(node, "href"), base);
  if (!picture || !large || !/\.(?:jpe?g|png|gif|webp|avif)$/i.test(large.pathname)) return null;
  picture.properties["src"] = large.href;
  return [picture];
}

/** Replaces a picture's address by a number; replaces one that cannot be imported by its alt text, or nothing. */
function pictureOf(node: Element, { base }: Place, list: string[], notes: Set<string>): ElementContent[] {
  const alt = property(node, "alt");
  if (hasClass(node, /^(emoji|wp-smiley)$/)) return [text(alt)];
  if (property(node, "width") === "1" && property(node, "height") === "1") return [];
  const given = ["src", "dataSrc", "dataLazySrc", "dataOriginal"]
    .map((name) => property(node, name))
    .filter(Boolean);
  const source = given.find((each) => !each.startsWith("data:"));
  if (!source) {
    if (given.length > 0) notes.add(DRAWING);
    return alt ? [text(alt)] : [];
  }
  const url = addressOf(source, base);
  if (!url) {
    notes.add("A picture with an incomplete address is left out.");
    return alt ? [text(alt)] : [];
  }
  const number = numberOf(originalOf(url), list);
  if (number === null) notes.add(`Only the first ${MOST_PICTURES} pictures are imported.`);
  const properties = {
    src: number === null ? url.href : PICTURE + number,
    alt,
    title: property(node, "title") || undefined,
  };
  return [{ ...node, properties, children: [] }];
}

/** Its index in the list, to which it is added; null if the list is full. */
export function numberOf(address: string, list: string[]) {
  const known = list.indexOf(address);
  if (known >= 0) return known;
  return list.length < MOST_PICTURES ? list.push(address) - 1 : null;
}

/**
 * The address of the original: Ghost has smaller copies in a folder. Substack and WordPress.com resize pictures by a
 * proxy whose address ends with the original's.
 */
export function originalOf(url: URL) {
  if (/^i\d\.wp\.com$/.test(url.hostname) && /^\/[^/]+\.[^/]+\/./.test(url.pathname))
    return `https:/${url.pathname}`;
  const smaller = /\/content\/images\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?\//;
  if (smaller.test(url.pathname)) return url.href.replace(smaller, "/content/images/");
  const [, original] = /^\/image\/fetch\/.*?(https?%3A%2F%2F[^/]+)$/i.exec(url.pathname) ?? [];
  const found =
    original && /(^|\.)(substackcdn|substack)\.com$/.test(url.hostname) ? URL.parse(decoded(original)) : null;
  return (found ?? url).href;
}

/**
 * Moves spaces out of marks: editors also mark the space after a word, which Markdown would write as a character
 * reference.
 */
function mendMarks(parent: Root | Element) {
  replace(parent, (node) => {
    if (!/^(?:strong|b|em|i)$/.test(node.tagName)) return null;
    mendMarks(node);
    const [first, last] = [node.children[0], node.children.at(-1)];
    const before = first?.type === "text" ? /^[ \n\t]+/.exec(first.value)?.[0] : undefined;
    if (before !== undefined && first?.type === "text") first.value = first.value.slice(before.length);
    const after = last?.type === "text" ? /[ \n\t]+$/.exec(last.value)?.[0] : undefined;
    if (after !== undefined && last?.type === "text") last.value = last.value.slice(0, -after.length);
    const marked =
      wordsOf(node) === "" && !find(node, ({ tagName }) => tagName === "img") ? node.children : [node];
    return [...(before ? [text(" ")] : []), ...marked, ...(after ? [text(" ")] : [])];
  });
}

function mendLinks(tree: Root, place: Place) {
  replace(tree, (node) => {
    // Anchors within a text are dropped.
    if (node.tagName !== "a") return null;
    const href = property(node, "href");
    if (href === "" || href.startsWith("#")) return node.children;
    if (wordsOf(node).trim() !== "") return null;
    // From a picture within nested elements, Markdown would make a second link without text.
    const pictures = [...elementsIn(node)].filter(({ tagName }) => tagName === "img");
    return pictures.map((picture) => ({ ...node, properties: { ...node.properties }, children: [picture] }));
  });
  for (const node of elementsIn(tree)) {
    if (node.tagName !== "a") continue;
    const url = addressOf(property(node, "href"), place.base);
    if (url) node.properties["href"] = place.moved(url) ?? url.href;
  }
}
