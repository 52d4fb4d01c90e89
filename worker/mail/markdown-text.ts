import type { Nodes, Paragraph, Parents, Root, RootContent } from "mdast";
import remarkParse from "remark-parse";
import remarkStringify, { type Options } from "remark-stringify";
import { processorFor, syntax } from "#worker/platform/text/markdown-syntax.ts";
import { unified } from "unified";

const parserFor = processorFor((dialect) => unified().use(remarkParse).use(dialect).freeze());

/** Markdown as plain text: without its marks, and with the addresses of links. */
export function toPlainText(markdown: string, absolute: (href: string) => string) {
  const tree = parserFor(markdown).parse(markdown);
  const definitions = definitionsIn(tree);
  return unified()
    .use(syntax)
    .use(
      remarkStringify,
      plain((identifier) => definitions.get(identifier), absolute),
    )
    .stringify(withoutUnseen(tree))
    .trim();
}

function definitionsIn(tree: Root) {
  const definitions = new Map<string, string>();
  for (const node of nodesIn(tree)) {
    // Of two definitions the first counts.
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node.url);
  }
  return definitions;
}

/** The links and pictures of a Markdown text, as they are written. */
export function linksAndPicturesIn(markdown: string) {
  const tree = parserFor(markdown).parse(markdown);
  const definitions = definitionsIn(tree);
  const links: { url: string; label: string }[] = [];
  const pictures: { url: string; alt: string }[] = [];
  for (const node of nodesIn(tree)) {
    const url =
      "url" in node ? node.url : "identifier" in node ? definitions.get(node.identifier) : undefined;
    if (url === undefined) continue;
    if (node.type === "link" || node.type === "linkReference") links.push({ url, label: wordsOf(node) });
    if (node.type === "image" || node.type === "imageReference") pictures.push({ url, alt: node.alt ?? "" });
  }
  return { links, pictures };
}

/** The text of a node; for a picture its description. */
const wordsOf = (node: Nodes): string => {
  if ("children" in node) return node.children.map(wordsOf).join("");
  if ("value" in node) return node.value;
  return "alt" in node ? (node.alt ?? "") : "";
};

/** Nodes that render to nothing. */
const UNSEEN = ["definition", "html"];

const withoutUnseen = <N extends Nodes>(node: N): N =>
  "children" in node
    ? {
        ...node,
        children: (node as Parents).children.filter(({ type }) => !UNSEEN.includes(type)).map(withoutUnseen),
      }
    : node;

type Handlers = NonNullable<Options["handlers"]>;

/** Escapes nothing, since the output is not parsed again. */
function plain(
  addressOf: (identifier: string) => string | undefined,
  absolute: (href: string) => string,
): Options {
  const phrasing: Handlers["emphasis"] = (node, _, state, info) => state.containerPhrasing(node, info);
  const linked = (label: string, href: string | undefined) => {
    if (href === undefined) return label;
    const address = absolute(href);
    const isItself = label === "" || label === href || label === address || `mailto:${label}` === href;
    return isItself ? address.replace(/^mailto:/, "") : `${label} <${address}>`;
  };
  const picture = (alt: string | null | undefined) => (alt ? `[${alt}]` : "");
  const underline = ["=", "-"];
  const handlers: Handlers = {
    emphasis: phrasing,
    strong: phrasing,
    delete: phrasing,
    text: ({ value }) => value,
    inlineCode: ({ value }) => value,
    code: ({ value }) => value.replace(/^/gm, "    "),
    break: () => "\n",
    thematicBreak: () => "* * *",
    heading(node, _, state, info) {
      const words = state.containerPhrasing(node, info);
      const mark = underline[node.depth - 1] ?? "-";
      return `${words}\n${mark.repeat(Math.min(72, Math.max(3, words.length)))}`;
    },
    link: (node, _, state, info) => linked(state.containerPhrasing(node, info), node.url),
    linkReference: (node, _, state, info) =>
      linked(state.containerPhrasing(node, info), addressOf(node.identifier)),
    image: ({ alt }) => picture(alt),
    imageReference: ({ alt }) => picture(alt),
  };
  return { bullet: "-", handlers };
}

function* nodesIn(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* nodesIn(child);
}

/** Plain text as Markdown that reads the same. */
export function asMarkdown(text: string) {
  const paragraphs = text.split(/\n\s*\n/).map((value) => value.trim());
  const children = paragraphs
    .filter(Boolean)
    .map((value): Paragraph => ({ type: "paragraph", children: [{ type: "text", value }] }));
  return unified().use(syntax).use(remarkStringify).stringify({ type: "root", children }).trim();
}

/** The first blocks of a Markdown text, at most `max` characters, with the definitions of their links. */
export function openingOf(markdown: string, max: number) {
  if (markdown.length <= max) return markdown;
  const { children }: Root = parserFor(markdown).parse(markdown);
  const sourceOf = ({ position }: RootContent) =>
    markdown.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  const isDefinition = ({ type }: RootContent) => type === "definition" || type === "footnoteDefinition";
  const definitions = children.filter(isDefinition).map(sourceOf).join("\n\n");
  const blocks: string[] = [];
  let left = max - definitions.length;
  for (const block of children.filter((child) => !isDefinition(child)).map(sourceOf)) {
    left -= block.length + 2;
    if (left < 0) break;
    blocks.push(block);
  }
  return [...blocks, definitions].filter(Boolean).join("\n\n");
}
