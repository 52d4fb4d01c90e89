import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSanitize)
  .use(rehypeStringify)
  .freeze();

/** GitHub-flavoured Markdown as HTML that is safe to place in a page; raw HTML in the source is dropped. */
export function renderMarkdown(markdown: string) {
  return String(processor.processSync(markdown));
}
