import type { Element, Root } from "hast";
import { fromDom } from "hast-util-from-dom";
import rehypeRemark from "rehype-remark";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { paragraphsOfText, rewriteForMarkdown } from "#worker/platform/text/html-before-markdown.ts";
import { style, syntax } from "#worker/platform/text/markdown-syntax.ts";

const processor = unified().use(rehypeRemark).use(syntax).use(remarkStringify, style).freeze();

/** HTML as Markdown that reads the same. Scripts and styles are left out. */
export const htmlToMarkdown = (html: string) => treeToMarkdown(parseHtml(html));

/** A document that is parsed runs no scripts and loads nothing. */
export const parseHtml = (html: string): Root => ({
  type: "root",
  children: [fromDom(new DOMParser().parseFromString(html, "text/html").body) as Element],
});

export const treeToMarkdown = (tree: Root) =>
  processor.stringify(processor.runSync(rewriteForMarkdown(tree)));

/** Plain text as Markdown that reads the same, with its line breaks, and with links for addresses. */
export const textToMarkdown = (text: string) =>
  processor.stringify({ type: "root", children: paragraphsOfText(text) }).trim();
