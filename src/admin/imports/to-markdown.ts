import { fromDom } from "hast-util-from-dom";
import type { Root } from "hast";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";

const processor = unified()
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", rule: "-" })
  .freeze();

/** HTML as Markdown that reads the same. A parsed document runs no scripts and loads nothing; scripts and styles are left out. */
export function htmlToMarkdown(html: string) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const tree = { type: "root", children: [fromDom(body)] } as Root;
  return processor.stringify(processor.runSync(tree));
}
