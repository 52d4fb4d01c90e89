import { createHash } from "node:crypto";
import type { Element, ElementContent, Root } from "hast";
import { toText } from "hast-util-to-text";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { AppError } from "#worker/platform/errors.ts";
import { costlyLine, tooCostly } from "#worker/platform/text/costly-markdown.ts";
import { processorFor } from "#worker/platform/text/markdown-syntax.ts";
import { unified } from "unified";
import type { VFile } from "vfile";

/**
 * Raise it with every change that renders the same Markdown to different HTML or text: stored HTML is then rendered
 * again. `test/stored-html.test.ts` fails if that was forgotten.
 */
export const RENDERER_VERSION = 1;

/** Elements that may follow the words of a task in its item. */
const BLOCKS = new Set(["ul", "ol", "blockquote", "pre", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6"]);

/** The prefix that remark gives the ids of footnotes. */
const FOOTNOTE = "user-content-";

const processor = processorFor((dialect) =>
  unified()
    .use(remarkParse)
    .use(dialect)
    .use(remarkRehype)
    // Every id is a footnote's; `partFootnotes` prefixes it together with the links to it.
    .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: "" })
    .use(() => (tree: Root, file: VFile) => partFootnotes(tree, `text-${digest(String(file.value))}-`))
    .use(() => lowerHeadings)
    .use(() => labelTasks)
    .use(() => reachByKeyboard)
    .use(() => linkForeignPictures)
    .use(() => (tree: Root, file: VFile) => sizePictures(tree, file.data["pictures"] as Pictures))
    .use(() => (tree: Root, file: VFile) => (file.data["transform"] as Transform)(tree))
    .use(() => leaveCodeUntranslated)
    .use(() => (tree: Root, file: VFile) => void (file.data["text"] = toText(tree)))
    .use(rehypeStringify)
    .freeze(),
);

/** By address: pixels, and the copies for `srcset`. */
export type Pictures = ReadonlyMap<string, { width: number | null; height: number | null; srcset: string }>;

/** A noun's own change of the sanitised tree. */
export type Transform = (tree: Root) => void;

export type RichText = {
  /** Safe to place in a page. */
  html: string;
  /** The HTML's plain text, for search. */
  text: string;
};

/**
 * Renders the site's Markdown; raw HTML in it is dropped.
 * @throws `invalid` for a text that would take too long to render. A field's contract refuses it first.
 */
export function renderMarkdown(
  markdown: string,
  pictures: Pictures = new Map(),
  transform: Transform = () => {},
): RichText {
  const line = costlyLine(markdown);
  if (line !== null) throw new AppError("invalid", tooCostly(line));
  const file = processor(markdown).processSync({ value: markdown, data: { pictures, transform } });
  return { html: String(file), text: String(file.data["text"]) };
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

function* elementsIn(parent: Root | ElementContent): Generator<Element> {
  if (!("children" in parent)) return;
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    yield child;
    yield* elementsIn(child);
  }
}

/** Several texts may share a page, and each has a footnote 1: so each text's ids get a prefix of their own. */
function partFootnotes(tree: Root, prefix: string) {
  for (const { properties } of elementsIn(tree)) {
    const { id, href, ariaDescribedBy } = properties;
    if (id) properties["id"] = prefix + String(id);
    if (ariaDescribedBy) properties["ariaDescribedBy"] = [prefix + String(ariaDescribedBy)];
    if (String(href).startsWith(`#${FOOTNOTE}`)) properties["href"] = `#${prefix}${String(href).slice(1)}`;
  }
}

/** A page's title is its only h1, so the headings of a text begin at h2. */
function lowerHeadings(tree: Root) {
  for (const element of elementsIn(tree)) if (element.tagName === "h1") element.tagName = "h2";
}

/** A task's checkbox is labelled by the words beside it, not by the blocks below. */
function labelTasks(tree: Root) {
  // Collected before any change: a new label contains the checkbox again.
  const elements = [...elementsIn(tree)];
  for (const element of elements) {
    const at = element.children.findIndex((child) => "tagName" in child && child.tagName === "input");
    if (at < 0) continue;
    const end = element.children.findIndex((child) => "tagName" in child && BLOCKS.has(child.tagName));
    const words = element.children.slice(at, end < 0 ? undefined : end);
    element.children.splice(at, words.length, {
      type: "element",
      tagName: "label",
      properties: {},
      children: words,
    });
  }
}

/** Wide code and tables scroll. By keyboard that needs focus, which not every browser gives them. */
function reachByKeyboard(tree: Root) {
  for (const element of elementsIn(tree))
    if (element.tagName === "pre" || element.tagName === "table") element.properties["tabIndex"] = 0;
}

/** A browser's translation would change the code. */
function leaveCodeUntranslated(tree: Root) {
  for (const element of elementsIn(tree))
    if (element.tagName === "code") element.properties["translate"] = "no";
}

/** Pages load nothing from third parties, which would reveal visitors to them: such a picture becomes a link. */
function linkForeignPictures(tree: Root) {
  for (const element of elementsIn(tree)) {
    const { src, alt } = element.properties;
    if (element.tagName !== "img" || String(src).startsWith("/media/")) continue;
    element.tagName = "a";
    element.properties = { href: src };
    element.children = [{ type: "text", value: String(alt || src) }];
  }
}

/** The widest text column of the site. */
const SIZES = "(min-width: 48rem) 42rem, 92vw";

/** Reserves each picture's space and lets the browser choose its size. */
function sizePictures(tree: Root, pictures: Pictures) {
  for (const { tagName, properties } of elementsIn(tree)) {
    if (tagName !== "img") continue;
    const { width, height, srcset } = pictures.get(String(properties["src"])) ?? {};
    Object.assign(properties, {
      ...(srcset ? { srcSet: srcset, sizes: SIZES } : {}),
      ...(width && height ? { width, height } : {}),
      loading: "lazy",
      decoding: "async",
    });
  }
}
