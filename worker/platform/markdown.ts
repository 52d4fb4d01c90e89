import type { ElementContent, Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { VFile } from "vfile";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  // Every id is a footnote's, prefixed already: a second prefix would part it from the links to it.
  .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: "" })
  .use(() => linkForeignPictures)
  .use(() => (tree: Root, file: VFile) => sizePictures(tree, file.data["pictures"] as Pictures))
  .use(rehypeStringify)
  .freeze();

/** By address: pixels, and the copies for `srcset`. */
export type Pictures = ReadonlyMap<string, { width: number | null; height: number | null; srcset: string }>;

/** GitHub-flavoured Markdown as HTML that is safe to place in a page; raw HTML in the source is dropped. */
export function renderMarkdown(markdown: string, pictures: Pictures = new Map()) {
  return String(processor.processSync({ value: markdown, data: { pictures } }));
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

/** As wide as a column of text is anywhere. */
const SIZES = "(min-width: 48rem) 42rem, 92vw";

/** Keeps the place of each picture free and lets the browser choose its size. */
function sizePictures(parent: Root | ElementContent, pictures: Pictures) {
  if (!("children" in parent)) return;
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    sizePictures(child, pictures);
    if (child.tagName !== "img") continue;
    const { width, height, srcset } = pictures.get(String(child.properties["src"])) ?? {};
    Object.assign(child.properties, {
      ...(srcset ? { srcSet: srcset, sizes: SIZES } : {}),
      ...(width && height ? { width, height } : {}),
      loading: "lazy",
      decoding: "async",
    });
  }
}
