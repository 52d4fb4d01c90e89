import type { Root as HastRoot } from "hast";
import { fromDom } from "hast-util-from-dom";
import type { Paragraph, PhrasingContent, Root } from "mdast";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { rewriteForMarkdown } from "#worker/platform/for-markdown.ts";

const processor = unified()
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", rule: "-" })
  .freeze();

/** HTML as Markdown that reads the same. A parsed document runs no scripts and loads nothing; scripts and styles are left out. */
export function htmlToMarkdown(html: string) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const tree = rewriteForMarkdown({ type: "root", children: [fromDom(body)] } as HastRoot);
  return processor.stringify(processor.runSync(tree));
}

/** Plain text as Markdown that reads the same, its lines kept and its addresses links. */
export function textToMarkdown(text: string) {
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.trim());
  const children = paragraphs
    .filter(Boolean)
    .map((part): Paragraph => ({ type: "paragraph", children: part.split("\n").flatMap(lineOf) }));
  const tree: Root = { type: "root", children };
  return processor.stringify(tree).trim();
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
