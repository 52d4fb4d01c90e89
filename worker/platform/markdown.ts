import type { ElementContent, Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  // Every id is a footnote's, prefixed already: a second prefix would part it from the links to it.
  .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: "" })
  .use(() => linkForeignPictures)
  .use(rehypeStringify)
  .freeze();

/** GitHub-flavoured Markdown as HTML that is safe to place in a page; raw HTML in the source is dropped. */
export function renderMarkdown(markdown: string) {
  return String(processor.processSync(markdown));
}

/** Pages load nothing from elsewhere, which would tell others who reads here: such a picture becomes a link to it. */
function linkForeignPictures(parent: Root | ElementContent) {
  if (!("children" in parent)) return;
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    const { src, alt } = child.properties;
    if (child.tagName !== "img" || String(src).startsWith("/media/")) {
      linkForeignPictures(child);
      continue;
    }
    child.tagName = "a";
    child.properties = { href: src };
    child.children = [{ type: "text", value: String(alt || src) }];
  }
}
