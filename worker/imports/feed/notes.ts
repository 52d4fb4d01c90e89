import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { toText } from "hast-util-to-text";
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterMap as Map5 } from "parse5";
import rehypeRemark from "rehype-remark";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { upToLastTag } from "#worker/platform/text/tags.ts";
import { costlyLine } from "#worker/platform/text/costly-markdown.ts";
import {
  linkAddresses,
  paragraphsOfText,
  rewriteForMarkdown,
} from "#worker/platform/text/html-before-markdown.ts";
import { style, syntax } from "#worker/platform/text/markdown-syntax.ts";

const processor = unified()
  .use(rehypeSanitize, { ...defaultSchema, strip: ["script", "style", "noscript", "template"] })
  .use(rehypeRemark)
  .use(syntax)
  .use(remarkStringify, style)
  .freeze();

/** Levels of nested elements: more would overflow the stack, and no real notes have them. */
const MAX_DEPTH = 200;
/** The parser reopens unclosed elements in each paragraph, so a short text may produce millions. */
const MOST_ELEMENTS = 100_000;

/** Addresses in angle brackets in plain text, which an HTML parser would treat as an element. */
const BRACKETED = /<(https?:\/\/[^\s<>"']+)>/gi;

const isHtml = (given: string) => {
  const text = given.replace(BRACKETED, "$1");
  return TAG.test(upToLastTag(text)) || REFERENCE.test(text);
};
const TAG = /<\/?[a-z][^>]*>/i;
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z]+);/i;

class TooInvolved extends Error {}

/** HTML as a browser parses it; null if it exceeds the limits. */
function parse(html: string): Root | null {
  try {
    return rewriteForMarkdown(
      fromParse5(
        parseFragment(html.replace(BRACKETED, "&lt;$1&gt;"), {
          treeAdapter: limited(),
          scriptingEnabled: false,
        }),
      ) as Root,
    );
  } catch (error) {
    if (error instanceof TooInvolved) return null;
    throw error;
  }
}

/** A tree adapter that stops at the limits: beyond them parsing takes seconds, or all the memory. */
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

/** The text of HTML; plain text is returned unchanged. */
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

/** Limits of characters, containers and marks below which notes are always converted completely. */
const SURELY = { characters: 20_000, containers: 12, marks: 500 };
const CONTAINERS = /<(?:ul|ol|dl|blockquote|table)\b|^ *>/gim;
const MARKS = /[*_~[\]!`\\@&]|<(?:a|b|i|em|strong|code|del|s|img)\b|https?:/gi;

/** Whether `notesOf` may lose a part of these notes. Much faster than `notesOf`. */
export const mayBeSimplified = (text: string) =>
  text.length > SURELY.characters ||
  (text.match(CONTAINERS)?.length ?? 0) > SURELY.containers ||
  (text.match(MARKS)?.length ?? 0) > SURELY.marks;

export type Notes = {
  markdown: string;
  /** Whether a part was lost. */
  isSimplified: boolean;
  /** One sentence for each lost part. */
  losses: string[];
};

const TOO_LONG = "Its notes are simplified: they are too long or too complex.";

const withLosses = (markdown: string, losses: string[]): Notes => ({
  markdown,
  isSimplified: losses.length > 0,
  losses,
});

const PLAYERS = /<(?:iframe|embed|object|audio|video)\b[^<>]*/gi;
/** `<audio>` and `<video>` have their address in an attribute, or in a child element. */
const ADDRESS = /\s(?:src|data|data-src)\s*=\s*(?:["']\s*)?([^"'\s>]+)/i;
const MOST_NAMED = 12;

/** One sentence for each player or frame in notes, with its host: it is not imported. */
export function playersLost(html: string): string[] {
  const sentences = new Set<string>();
  for (const [tag] of upToLastTag(html).matchAll(PLAYERS)) {
    const host = URL.parse(ADDRESS.exec(tag)?.[1] ?? "", "https://relative.invalid")?.hostname;
    const of = host && host !== "relative.invalid" ? ` from ${host}` : "";
    sentences.add(`A player${of} in its notes isn’t imported.`);
    if (sentences.size === MOST_NAMED) break;
  }
  return [...sentences];
}

/** Show notes as Markdown with the same text and structure. Scripts, styles and frames are left out. */
export function notesOf(text: string, most: number): Notes {
  if (!isHtml(text)) {
    const { markdown, isWhole } = cutTo(escaped(text), most);
    return withLosses(markdown, isWhole ? [] : [TOO_LONG]);
  }
  const lost = playersLost(text);
  const tree = parse(text);
  const plain = () => withLosses(cutTo(escaped(plainOf(text)), most).markdown, [TOO_LONG, ...lost]);
  if (!tree) return plain();
  linkAddresses(tree);
  const markdown = processor.stringify(processor.runSync(tree)).trim();
  const isCostly = markdown.length > most || costlyLine(markdown, most) !== null;
  return isCostly ? plain() : withLosses(markdown, lost);
}

function cutTo(markdown: string, most: number) {
  const cut = markdown.slice(0, most).toWellFormed();
  return costlyLine(cut, most) === null
    ? { markdown: cut, isWhole: cut.length === markdown.length }
    : { markdown: "", isWhole: false };
}

const writer = unified().use(syntax).use(remarkStringify).freeze();

/** Plain text as Markdown that reads the same, with its line breaks; Markdown links addresses automatically. */
const escaped = (text: string) =>
  writer.stringify({ type: "root", children: paragraphsOfText(text.replace(/\r\n?/g, "\n")) }).trim();
