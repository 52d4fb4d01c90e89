import type { Element, ElementContent, Root, RootContent } from "hast";
import { visible } from "../moving-in/visible.ts";
import { treeToMarkdown } from "../moving-in/to-markdown.ts";
import { element, elementsIn, find, hasClass, property, text, wordsOf } from "../moving-in/importers/tree.ts";
import { nestItems } from "./pasted-lists.ts";

export type Pasted = {
  /** Null if the HTML has no formatting. */
  markdown: string | null;
  /** It is a part of a paragraph. */
  isInline: boolean;
  /** Omitted pictures: local to another computer, or on a site whose pictures this one does not load. */
  pictures: number;
};

/** HTML of the clipboard, as word processors and browsers put it there, as Markdown. `origin` is that of this site. */
export function pastedMarkdown(tree: Root, origin: string): Pasted {
  const found = { pictures: 0 };
  const blocks = nestItems(blocksOf(tree.children, PLAIN, { origin, found }));
  const [only, ...more] = blocks.filter(isThere);
  const isInline = !blocks.some(isBlock) || (more.length === 0 && only !== undefined && isParagraph(only));
  const isSaid = isCode(tree) || !blocks.some(isFormatted);
  const markdown = isSaid ? null : visible(treeToMarkdown({ type: "root", children: blocks })).trim();
  return { markdown, isInline, pictures: found.pictures };
}

const isThere = (node: ElementContent) => node.type !== "text" || node.value.trim() !== "";
const isParagraph = (node: ElementContent) =>
  node.type === "element" && node.tagName === "p" && node.properties["list"] === undefined;

type Marks = { strong: boolean; em: boolean; del: boolean };
const PLAIN: Marks = { strong: false, em: false, del: false };
/** `isHead`: within an element that is bold anyway. */
type Surroundings = { origin: string; found: { pictures: number }; isHead?: boolean };

const KEPT_BLOCKS = new Set(
  "h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre hr table thead tbody tfoot tr td th caption dl dt dd".split(
    " ",
  ),
);
const CONTAINERS = new Set(
  "html body div section article main header footer aside nav figure figcaption center address details summary form fieldset colgroup".split(
    " ",
  ),
);
const UNSEEN = new Set(
  "head style script meta title link noscript template xml col input button select textarea svg iframe object".split(
    " ",
  ),
);
const KEPT_INLINES = new Set("br code sup sub".split(" "));
const HEADING = /^h[1-6]$/;

const isBlock = (node: RootContent) =>
  node.type === "element" && (KEPT_BLOCKS.has(node.tagName) || node.tagName === "div");

/** Keeps blocks, removes wrappers, and puts marks on the text, from elements or styles. */
function blocksOf(nodes: RootContent[], marks: Marks, around: Surroundings): ElementContent[] {
  return nodes.flatMap((node) => blockOf(node, marks, around));
}

function blockOf(node: RootContent, marks: Marks, around: Surroundings): ElementContent[] {
  if (node.type === "text") return marked(node.value, marks);
  if (node.type !== "element" || isUnseen(node)) return [];
  const { tagName } = node;
  const said = marksOf(node, marks);
  const inner = { ...said, strong: said.strong && !around.isHead };
  const children = () => blocksOf(node.children, inner, around);
  if (tagName === "img") return pictureOf(node, around);
  if (tagName === "a") return linkOf(node, joined(children()), around);
  if (tagName === "br") return hasClass(node, /^Apple-interchange-newline$/) ? [] : [element("br", {})];
  if (tagName === "pre")
    return [element("pre", {}, [element("code", languageOf(node), [text(wordsOf(node))])])];
  if (KEPT_INLINES.has(tagName))
    return wordsOf(node).trim() === "" ? [] : [element(tagName, {}, [...node.children])];
  const raised = /vertical-align:\s*(super|sub)\b/i.exec(styleOf(node))?.[1]?.toLowerCase();
  if (raised && !HEADING.test(tagName) && !isBlock(node))
    return [element(raised === "super" ? "sup" : "sub", {}, joined(children()))];
  const name = nameOf(node);
  if (name === null) return CONTAINERS.has(tagName) ? contentsOf(children()) : children();
  const isHead = HEADING.test(name) || name === "th";
  const content = joined(
    blocksOf(
      node.children,
      isHead ? { ...inner, strong: false } : inner,
      isHead ? { ...around, isHead } : around,
    ),
  );
  const block = element(name, propertiesOf(node, content), withinBlock(name, content));
  return name === "table" ? tableOf(block) : [block];
}

/** Of code, as pages write it: `language-js`. */
const languageOf = (pre: Element): Element["properties"] => {
  const code = find(pre, ({ tagName }) => tagName === "code");
  return code ? { className: code.properties["className"] } : {};
};

/** The element name of a block; null for a wrapper. Word and Google Docs express some by classes and roles. */
function nameOf(node: Element): string | null {
  const level = property(node, "ariaLevel", "dataAriaLevel");
  if (property(node, "role") === "heading") return `h${Math.min(6, Number(level) || 2)}`;
  if (hasClass(node, /^MsoTitle$/)) return "h1";
  if (node.tagName === "div" && !node.children.some(isBlock)) return "p";
  return KEPT_BLOCKS.has(node.tagName) ? node.tagName : null;
}

/** The properties that `nestItems` and the Markdown writer use. */
function propertiesOf(node: Element, content: ElementContent[]): Element["properties"] {
  const { tagName } = node;
  if (tagName === "ol") return { start: node.properties["start"] };
  if (tagName === "td" || tagName === "th") return { align: node.properties["align"] };
  const [, list, level] = /mso-list:\s*(\S+)\s+level(\d)/i.exec(styleOf(node)) ?? [];
  if (list && content.length > 0) return { list, level: Number(level), marker: markerOf(node) };
  const webLevel = property(node, "dataAriaLevel", "ariaLevel");
  return tagName === "li" && webLevel ? { level: Number(webLevel) } : {};
}

/** Word writes the number or the dot of an item into its text. */
const markerOf = (node: Element) => {
  const marker = find(node, (each) => /mso-list:\s*ignore/i.test(styleOf(each)));
  return marker ? wordsOf(marker).trim() : "";
};

/** A paragraph alone in an item makes a list with gaps, which its author did not see. */
function withinBlock(name: string, content: ElementContent[]): ElementContent[] {
  if (name !== "li" && name !== "td" && name !== "th") return trimmed(content);
  const paragraphs = content.filter((child) => child.type === "element" && child.tagName === "p");
  if (paragraphs.length > 1) return content;
  return content.flatMap((child) =>
    child.type === "element" && child.tagName === "p" ? child.children : [child],
  );
}

/** Of a wrapper: its blocks, without the breaks between them that are room only. */
const contentsOf = (content: ElementContent[]) =>
  joined(
    content.some(isBlock)
      ? content.filter((node) => node.type !== "element" || node.tagName !== "br")
      : content,
  );

const isUnseen = (node: Element) =>
  UNSEEN.has(node.tagName) ||
  /display:\s*none|mso-hide:\s*all|mso-list:\s*ignore/i.test(styleOf(node)) ||
  (hasClass(node, /^EOP$/) && wordsOf(node).trim() === "");

const styleOf = ({ properties }: Element) => String(properties["style"] ?? "");

/** A property's value; of several the last counts. Word has its own beside them, such as `mso-bidi-font-weight`. */
const declared = (style: string, name: string) =>
  [...style.matchAll(new RegExp(`(?<![\\w-])${name}:\\s*([\\w.]+)`, "gi"))].at(-1)?.[1]?.toLowerCase();

function marksOf(node: Element, marks: Marks): Marks {
  const { tagName } = node;
  const style = styleOf(node);
  const weight = declared(style, "font-weight");
  const slant = declared(style, "font-style");
  const isBold =
    weight === undefined || weight === "inherit"
      ? undefined
      : weight.startsWith("bold") || Number(weight) >= 600;
  const isSlanted = slant === undefined || slant === "inherit" ? undefined : slant !== "normal";
  return {
    strong: isBold ?? (/^(?:b|strong)$/.test(tagName) || marks.strong),
    em: isSlanted ?? (/^(?:i|em|cite|var|dfn)$/.test(tagName) || marks.em),
    del:
      /^(?:s|del|strike)$/.test(tagName) ||
      /(?<![\w-])text-decoration(?:-line)?:[^;]*line-through/i.test(style) ||
      marks.del,
  };
}

/** Word processors write spaces as ones that do not break; typography keeps them beside numbers and French punctuation. */
const plainSpaces = (value: string) =>
  value.replaceAll(/(?<![«\d])\u00a0(?![;:!?»%€$])|(?<=\d)\u00a0(?!\d|[;:!?»%€$])/g, " ");

function marked(value: string, { strong, em, del }: Marks): ElementContent[] {
  let node: ElementContent = text(plainSpaces(value));
  if (em) node = element("em", {}, [node]);
  if (strong) node = element("strong", {}, [node]);
  if (del) node = element("del", {}, [node]);
  return [node];
}

/** Joins adjacent runs with the same marks: `**bo****ld**` would not be bold. */
function joined(nodes: ElementContent[]): ElementContent[] {
  const runs: ElementContent[] = [];
  for (const node of nodes) {
    const last = runs.at(-1);
    if (last?.type === "text" && node.type === "text") last.value += node.value;
    else if (last?.type === "element" && node.type === "element" && isSameRun(last, node))
      last.children = joined([...last.children, ...node.children]);
    else runs.push(node.type === "text" ? { ...node } : node);
  }
  return runs.flatMap(withoutEdges);
}

const MARKS = new Set(["strong", "em", "del"]);
const isSameRun = (one: Element, other: Element) =>
  one.tagName === other.tagName &&
  (MARKS.has(one.tagName) || (one.tagName === "a" && one.properties["href"] === other.properties["href"]));

/** Moves spaces at the edges of a mark or a link outside, as Markdown requires. */
function withoutEdges(node: ElementContent): ElementContent[] {
  if (node.type !== "element" || !(MARKS.has(node.tagName) || node.tagName === "a")) return [node];
  const words = wordsOf(node);
  if (words.trim() === "")
    return find(node, ({ tagName }) => tagName === "br" || tagName === "img") ? node.children : [text(words)];
  const [before = ""] = /^\s*/.exec(words) ?? [];
  const [after = ""] = /\s*$/.exec(words) ?? [];
  if (before) cutStart(node, before.length);
  if (after) cutEnd(node, after.length);
  return [...(before ? [text(before)] : []), node, ...(after ? [text(after)] : [])];
}

function cutStart(node: Element, length: number) {
  const [first] = node.children;
  if (first?.type === "text") first.value = first.value.slice(length);
  else if (first?.type === "element") cutStart(first, length);
}

function cutEnd(node: Element, length: number) {
  const last = node.children.at(-1);
  if (last?.type === "text") last.value = last.value.slice(0, -length);
  else if (last?.type === "element") cutEnd(last, length);
}

/** Without trailing breaks. */
function trimmed(content: ElementContent[]) {
  const end = content.findLastIndex(
    (node) =>
      !(node.type === "element" && node.tagName === "br") &&
      !(node.type === "text" && node.value.trim() === ""),
  );
  return content.slice(0, end + 1);
}

function linkOf(node: Element, content: ElementContent[], { origin }: Surroundings): ElementContent[] {
  const href = destinationOf(property(node, "href"), origin);
  const blocks = content.some(isBlock);
  return href === null || blocks || wordsOf(element("a", {}, content)).trim() === ""
    ? content
    : joined([element("a", { href }, content)]);
}

/**
 * The target of a link; null for one that does not work elsewhere. Unwraps the redirects of Google Docs and Outlook.
 */
function destinationOf(href: string, origin: string): string | null {
  const url = URL.parse(href.trim());
  if (!url || !/^(?:https?|mailto|tel):$/.test(url.protocol)) return null;
  if (url.origin === origin) return url.href.slice(origin.length);
  const passed =
    /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname) && url.pathname === "/url"
      ? (url.searchParams.get("q") ?? url.searchParams.get("url"))
      : url.hostname.endsWith(".safelinks.protection.outlook.com")
        ? url.searchParams.get("url")
        : null;
  const beyond = passed === null ? null : URL.parse(passed);
  return beyond && /^(?:https?|mailto):$/.test(beyond.protocol) ? passed : href.trim();
}

/** Keeps this site's own pictures, and turns emoji images into text. */
function pictureOf(node: Element, { origin, found }: Surroundings): ElementContent[] {
  const alt = property(node, "alt");
  const url = URL.parse(property(node, "src"), origin);
  if (url?.origin === origin && url.pathname.startsWith("/media/"))
    return [element("img", { src: url.pathname, alt })];
  if (/^\p{Extended_Pictographic}/u.test(alt)) return [text(alt)];
  if (property(node, "width") !== "1") found.pictures++;
  return [];
}

const FORMATTED = new Set(
  "a em strong del h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code img hr dl sup sub table".split(" "),
);

const isFormatted = (node: ElementContent): boolean =>
  node.type === "element" &&
  (FORMATTED.has(node.tagName) || node.properties["list"] !== undefined || node.children.some(isFormatted));

const isCell = ({ tagName }: Element) => tagName === "td" || tagName === "th";

/** Markdown's tables begin with their heads; a spreadsheet's single cell is its text. */
function tableOf(table: Element): ElementContent[] {
  const cells = [...elementsIn(table)].filter(isCell);
  const [only] = cells;
  if (only && cells.length === 1) return [element("p", {}, only.children)];
  const first = find(table, ({ tagName }) => tagName === "tr");
  for (const cell of first?.children ?? [])
    if (cell.type === "element" && cell.tagName === "td")
      Object.assign(cell, { tagName: "th", children: cell.children.flatMap(withoutStrong) });
  return [table];
}

const withoutStrong = (node: ElementContent): ElementContent[] =>
  node.type === "element" && node.tagName === "strong" ? node.children : [node];

/** Whether it was copied from a code editor: everything in one monospace block, which would be taken for text. */
function isCode(tree: Root) {
  const body = find(tree, ({ tagName }) => tagName === "body") ?? tree;
  const roots = (body.children as RootContent[]).filter(
    (node): node is Element => node.type === "element" && !UNSEEN.has(node.tagName),
  );
  const [only] = roots;
  return (
    roots.length === 1 &&
    only !== undefined &&
    (only.tagName === "pre" ||
      (/white-space:\s*pre\b/i.test(styleOf(only)) && /mono|consolas|menlo|courier/i.test(styleOf(only))))
  );
}
