import { addressesIn } from "#worker/platform/text/web-addresses.ts";

/** A node of an HTML tree (hast): the fields used here. */
type Node = {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  value?: string;
  children?: Node[];
};

const PLAIN = "0123456789+−-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW";
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ";
const LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎";
/** Stay as letters, so that they read and search as one word: 21st. */
const ORDINAL = /^(?:st|nd|rd|th)$/i;

/** Rewrites elements without Markdown syntax: superscript, subscript, table captions, formulas. */
export function rewriteForMarkdown<Tree extends Node>(tree: Tree): Tree {
  if (tree.children) tree.children = tree.children.flatMap(rewritten);
  return tree;
}

function rewritten(node: Node): Node[] {
  // Read before its own children are rewritten.
  const formula = node.tagName === "math" ? formulaOf(node) : null;
  if (formula !== null) return [text(formula)];
  rewriteForMarkdown(node);
  switch (node.tagName) {
    case "sup":
      return scriptOf(node, RAISED, "^");
    case "sub":
      return scriptOf(node, LOWERED, "_");
    case "table":
      return withCaptionBefore(node);
    default:
      return [node];
  }
}

/** As Unicode superscript or subscript characters if they exist; a footnote's number in brackets. */
function scriptOf(node: Node, characters: string, mark: string): Node[] {
  const children = node.children ?? [];
  const words = wordsOf(node).trim();
  const link = linkIn(node);
  if (link !== null) return link.startsWith("#") ? [text(`[${words.replace(/^\[(.*)\]$/, "$1")}]`)] : [node];
  if (ORDINAL.test(words)) return children;
  const written = translated(words, characters);
  if (written !== null) return [text(written)];
  // Signs such as ® and * stay on the line.
  return /[\p{L}\p{N}]/u.test(words) ? [text(`${mark}(`), ...children, text(")")] : children;
}

/** Null if a character has no such form. */
function translated(words: string, characters: string) {
  const forms = [...characters];
  const written = [...words].map((each) => forms[PLAIN.indexOf(each)]);
  return words !== "" && [...words].every((each) => PLAIN.includes(each)) && !written.includes(undefined)
    ? written.join("")
    : null;
}

/** The address of the first link; null if there is none. */
function linkIn(node: Node): string | null {
  for (const child of node.children ?? []) {
    const href = child.tagName === "a" ? child.properties?.["href"] : undefined;
    const found = typeof href === "string" ? href : linkIn(child);
    if (found !== null) return found;
  }
  return null;
}

function withCaptionBefore(table: Node): Node[] {
  const children = table.children ?? [];
  const caption = children.find(({ tagName }) => tagName === "caption");
  if (!caption) return [table];
  table.children = children.filter((child) => child !== caption);
  return [{ type: "element", tagName: "p", properties: {}, children: caption.children ?? [] }, table];
}

/** The author's TeX or alternative text; otherwise the formula's characters. */
function formulaOf(math: Node) {
  const alternative = math.properties?.["alttext"] ?? math.properties?.["altText"];
  if (typeof alternative === "string" && alternative.trim() !== "") return alternative.trim();
  const note = annotationIn(math);
  return wordsOf(note ?? withoutAnnotations(math))
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The annotation in TeX or without an encoding; other encodings are not readable text. */
function annotationIn(node: Node): Node | null {
  for (const child of node.children ?? []) {
    const isReadable = /tex|^$/i.test(String(child.properties?.["encoding"] ?? ""));
    const found = child.tagName === "annotation" ? isReadable && child : annotationIn(child);
    if (found) return found;
  }
  return null;
}

const withoutAnnotations = (node: Node): Node => ({
  ...node,
  children: node.children?.flatMap((child) =>
    child.tagName?.startsWith("annotation") ? [] : withoutAnnotations(child),
  ),
});

const text = (value: string): Node => ({ type: "text", value });

const wordsOf = ({ type, value, children = [] }: Node): string =>
  type === "comment" ? "" : (value ?? children.map(wordsOf).join(""));

type Phrase =
  | { type: "break" }
  | { type: "text"; value: string }
  | { type: "link"; url: string; children: { type: "text"; value: string }[] };

/** Plain text as paragraphs of Markdown (mdast), with its line breaks and with addresses as links. */
export const paragraphsOfText = (plain: string) =>
  plain
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => ({ type: "paragraph" as const, children: part.split("\n").flatMap(lineOf) }));

const lineOf = (line: string, index: number): Phrase[] => {
  const phrases = partsOf(line.trim()).map(({ words, url }): Phrase => {
    if (url === null) return { type: "text", value: words };
    return { type: "link", url, children: [{ type: "text", value: words }] };
  });
  return index === 0 ? phrases : [{ type: "break" }, ...phrases];
};

/** Splits a text into addresses and the words between them. */
function partsOf(words: string) {
  const parts: { words: string; url: string | null }[] = [];
  let from = 0;
  for (const { start, end } of addressesIn(words)) {
    const address = withoutPunctuation(words.slice(start, end).replace(/".*/s, ""));
    if (!ADDRESS.test(address)) continue;
    // As Markdown completes it.
    const url = /^www/i.test(address) ? `http://${address}` : address;
    parts.push({ words: words.slice(from, start), url: null }, { words: address, url });
    from = start + address.length;
  }
  return [...parts, { words: words.slice(from), url: null }];
}

const ADDRESS = /^(?:https?:\/\/[^\s]|www\.[^\s./]+\.[a-z])/i;

/** Brackets that are opened in an address are part of it: `https://example.com/Wharf_(Sydney)`. */
function withoutPunctuation(address: string) {
  let unopened = address.split(")").length - address.split("(").length;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    if (last === ")" ? unopened-- <= 0 : !"'.,:;!?".includes(last)) break;
  }
  return address.slice(0, end);
}

const UNLINKED = new Set(["a", "code", "pre", "kbd", "samp"]);

/** Turns bare addresses in HTML text into links, as podcast apps do. */
export function linkAddresses(tree: Node) {
  if (UNLINKED.has(tree.tagName ?? "")) return;
  tree.children = tree.children?.flatMap((child) => {
    if (child.type !== "text") linkAddresses(child);
    return child.type === "text" && /https?:|www\./i.test(child.value ?? "") ? linked(child.value!) : [child];
  });
}

const linked = (value: string) =>
  partsOf(value)
    .filter(({ words }) => words !== "")
    .map(({ words, url }): Node => {
      if (url === null) return text(words);
      return { type: "element", tagName: "a", properties: { href: url }, children: [text(words)] };
    });
