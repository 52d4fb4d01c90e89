import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { toText } from "hast-util-to-text";
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterMap as Map5 } from "parse5";
import rehypeRemark from "rehype-remark";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { upToLastTag } from "#worker/imports/feed/tags.ts";
import { costlyLine } from "#worker/platform/costly-markdown.ts";
import { linkAddresses, paragraphsOfText, rewriteForMarkdown } from "#worker/platform/for-markdown.ts";
import { style, syntax } from "#worker/platform/markdown-syntax.ts";

const processor = unified()
  .use(rehypeSanitize, { ...defaultSchema, strip: ["script", "style", "noscript", "template"] })
  .use(rehypeRemark)
  .use(syntax)
  .use(remarkStringify, style)
  .freeze();

/** Elements one within the other: more would overflow the stack, and nobody writes so many. */
const MAX_DEPTH = 200;
/** Those that are open around a paragraph are made anew within it: of a short text there may be millions. */
const MOST_ELEMENTS = 100_000;

const isHtml = (text: string) => /<\/?[a-z][^>]*>/i.test(upToLastTag(text)) || REFERENCE.test(text);
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z]+);/i;

class TooInvolved extends Error {}

/** HTML as a browser reads it, whatever its end tags pretend; null where it is too involved. */
function parse(html: string): Root | null {
  try {
    return rewriteForMarkdown(
      fromParse5(parseFragment(html, { treeAdapter: limited(), scriptingEnabled: false })) as Root,
    );
  } catch (error) {
    if (error instanceof TooInvolved) return null;
    throw error;
  }
}

/** Builds a tree up to its limits, and no further: what is beyond takes seconds, or all the memory. */
function limited(): typeof defaultTreeAdapter {
  const depths = new WeakMap<Map5["node"], number>();
  let elements = 0;
  const place = (parent: Map5["node"], child: Map5["node"]) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new TooInvolved();
    depths.set(child, depth);
  };
  return {
    ...defaultTreeAdapter,
    createElement(...given) {
      if (++elements > MOST_ELEMENTS) throw new TooInvolved();
      return defaultTreeAdapter.createElement(...given);
    },
    appendChild(parent, child) {
      place(parent, child);
      defaultTreeAdapter.appendChild(parent, child);
    },
    insertBefore(parent, child, next) {
      place(parent, child);
      defaultTreeAdapter.insertBefore(parent, child, next);
    },
  };
}

/** What HTML says, without its elements; plain text as it is. */
export function plainOf(text: string): string {
  if (!isHtml(text)) return text.trim();
  const tree = parse(text);
  if (!tree) return withoutTags(text).replace(/\s+/g, " ").trim();
  return toText(tree)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function withoutTags(html: string) {
  const tagged = upToLastTag(html);
  return tagged.replace(/<[^>]*>/g, " ") + html.slice(tagged.length);
}

/** Characters, containers and marks of notes that are converted whole, whatever else is in them. */
const SURELY = { characters: 20_000, containers: 12, marks: 500 };
const CONTAINERS = /<(?:ul|ol|dl|blockquote|table)\b|^ *>/gim;
const MARKS = /[*_~[\]!`\\@&]|<(?:a|b|i|em|strong|code|del|s|img)\b|https?:/gi;

/** Whether `notesOf` may lose something of notes. It is much faster than that. */
export const mayBeSimplified = (text: string) =>
  text.length > SURELY.characters ||
  (text.match(CONTAINERS)?.length ?? 0) > SURELY.containers ||
  (text.match(MARKS)?.length ?? 0) > SURELY.marks;

export type Notes = {
  markdown: string;
  /** Some of it was lost: it was too long, or too involved. */
  isSimplified: boolean;
};

/** Show notes as Markdown that reads as the HTML did. Scripts, styles and frames are left out. */
export function notesOf(text: string, most: number): Notes {
  if (!isHtml(text)) return simplified(escaped(text), most);
  const tree = parse(text);
  if (!tree) return { ...simplified(escaped(plainOf(text)), most), isSimplified: true };
  linkAddresses(tree);
  const markdown = processor.stringify(processor.runSync(tree)).trim();
  const isCostly = markdown.length > most || costlyLine(markdown, most) !== null;
  return isCostly
    ? { ...simplified(escaped(plainOf(text)), most), isSimplified: true }
    : { markdown, isSimplified: false };
}

function simplified(markdown: string, most: number): Notes {
  const cut = markdown.slice(0, most).toWellFormed();
  return costlyLine(cut, most) === null
    ? { markdown: cut, isSimplified: cut.length < markdown.length }
    : { markdown: "", isSimplified: true };
}

const writer = unified().use(syntax).use(remarkStringify).freeze();

/** Plain text as Markdown that reads the same, its lines kept; addresses are links by themselves. */
const escaped = (text: string) =>
  writer.stringify({ type: "root", children: paragraphsOfText(text.replace(/\r\n?/g, "\n")) }).trim();
