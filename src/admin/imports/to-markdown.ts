import type { Root as HastRoot } from "hast";
import { fromDom } from "hast-util-from-dom";
import rehypeRemark from "rehype-remark";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { paragraphsOfText, rewriteForMarkdown } from "#worker/platform/for-markdown.ts";
import { style, syntax } from "#worker/platform/markdown-syntax.ts";

const processor = unified().use(rehypeRemark).use(syntax).use(remarkStringify, style).freeze();

/** HTML as Markdown that reads the same. A parsed document runs no scripts and loads nothing; scripts and styles are left out. */
export function htmlToMarkdown(html: string) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const tree = rewriteForMarkdown({ type: "root", children: [fromDom(body)] } as HastRoot);
  return processor.stringify(processor.runSync(tree));
}

/** Plain text as Markdown that reads the same, its lines kept and its addresses links. */
export const textToMarkdown = (text: string) =>
  processor.stringify({ type: "root", children: paragraphsOfText(text) }).trim();
