import type { Root } from "hast";
import type { Paragraph, PhrasingContent } from "mdast";
import { fromHtml } from "hast-util-from-html";
import { toText } from "hast-util-to-text";
import rehypeRemark from "rehype-remark";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { upToLastTag } from "#worker/imports/feed/tags.ts";
import { costlyLine } from "#worker/platform/costly-markdown.ts";
import { rewriteForMarkdown } from "#worker/platform/for-markdown.ts";

const processor = unified()
  .use(rehypeSanitize, { ...defaultSchema, strip: ["script", "style", "noscript", "template"] })
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", rule: "-" })
  .freeze();

/** Elements one within the other: more would overflow the stack, and nobody writes so many. */
const MAX_DEPTH = 200;

const isHtml = (text: string) => /<\/?[a-z][^>]*>/i.test(upToLastTag(text)) || REFERENCE.test(text);
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z]+);/i;

const parse = (html: string): Root => rewriteForMarkdown(fromHtml(html, { fragment: true }));

function isTooDeep(html: string) {
  let depth = 0;
  for (const [tag] of upToLastTag(html).matchAll(/<\/?[a-z][^>]*>/gi)) {
    if (UNCLOSED.test(tag)) continue;
    if (tag.startsWith("</")) depth = Math.max(0, depth - 1);
    else if (!tag.endsWith("/>") && !VOID.test(tag)) depth++;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
/** Nobody closes these, and they are no depth. */
const UNCLOSED = /^<\/?(?:p|li|td|tr|dd|dt|option)\b/i;
const VOID = /^<(?:br|hr|img|input|wbr|source|meta|link|area|col|embed|track)\b/i;

/** What HTML says, without its elements; plain text as it is. */
export function plainOf(text: string): string {
  if (!isHtml(text)) return text.trim();
  if (isTooDeep(text)) return withoutTags(text).replace(/\s+/g, " ").trim();
  return toText(parse(text))
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function withoutTags(html: string) {
  const tagged = upToLastTag(html);
  return tagged.replace(/<[^>]*>/g, " ") + html.slice(tagged.length);
}

export type Notes = {
  markdown: string;
  /** Some of it was lost: it was too long, or too involved. */
  isSimplified: boolean;
};

/** Show notes as Markdown that reads as the HTML did. Scripts, styles and frames are left out. */
export function notesOf(text: string, most: number): Notes {
  if (!isHtml(text)) return simplified(escaped(text), most);
  if (isTooDeep(text)) return { ...simplified(escaped(plainOf(text)), most), isSimplified: true };
  const markdown = processor.stringify(processor.runSync(parse(text))).trim();
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

const writer = unified().use(remarkGfm).use(remarkStringify).freeze();

/** Plain text as Markdown that reads the same, its lines kept; addresses are links by themselves. */
function escaped(text: string) {
  const children = text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part): Paragraph => ({ type: "paragraph", children: part.split("\n").flatMap(lineOf) }));
  return writer.stringify({ type: "root", children }).trim();
}

const lineOf = (line: string, index: number): PhrasingContent[] => [
  ...(index === 0 ? [] : [{ type: "break" as const }]),
  ...line
    .trim()
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
    .map((value, at): PhrasingContent =>
      at % 2 === 0
        ? { type: "text", value }
        : { type: "link", url: value, children: [{ type: "text", value }] },
    ),
];
