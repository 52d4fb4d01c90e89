import { addressesIn } from "#worker/platform/web-addresses.ts";

/** A node of an HTML tree (hast), as far as it is looked at here. */
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
/** They are read, and found, as the word that they are: 21st. */
const ORDINAL = /^(?:st|nd|rd|th)$/i;

/** Rewrites what Markdown has no marks for: raised and lowered text, the caption of a table, formulas. */
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

/** In characters of their own where there are such; a note's number in brackets. */
function scriptOf(node: Node, characters: string, mark: string): Node[] {
  const children = node.children ?? [];
  const words = wordsOf(node).trim();
  const link = linkIn(node);
  if (link !== null) return link.startsWith("#") ? [text(`[${words.replace(/^\[(.*)\]$/, "$1")}]`)] : [node];
  if (ORDINAL.test(words)) return children;
  const written = translated(words, characters);
  if (written !== null) return [text(written)];
  // Signs such as ® and * are read as well on the line.
  return /[\p{L}\p{N}]/u.test(words) ? [text(`${mark}(`), ...children, text(")")] : children;
}

/** Null where one of the characters has no such form. */
function translated(words: string, characters: string) {
  const forms = [...characters];
  const written = [...words].map((each) => forms[PLAIN.indexOf(each)]);
  return words !== "" && [...words].every((each) => PLAIN.includes(each)) && !written.includes(undefined)
    ? written.join("")
    : null;
}

/** Where the first link leads; null where there is none. */
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

/** As its author wrote it, in TeX or in words; otherwise its signs. */
function formulaOf(math: Node) {
  const told = math.properties?.["alttext"] ?? math.properties?.["altText"];
  if (typeof told === "string" && told.trim() !== "") return told.trim();
  const note = annotationIn(math);
  return wordsOf(note ?? withoutAnnotations(math))
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** In TeX, or what says nothing of its own: programs keep formats there that nobody reads. */
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

/** Plain text as paragraphs of Markdown (mdast) that read the same, its lines kept and its addresses links. */
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

/** A text between its addresses, and those. */
function partsOf(words: string) {
  const parts: { words: string; url: string | null }[] = [];
  let from = 0;
  for (const { start, end } of addressesIn(words)) {
    const [url] = /^https?:\/\/[^"]*[^".,:;!?)]/.exec(words.slice(start, end)) ?? [];
    if (url === undefined) continue;
    parts.push({ words: words.slice(from, start), url: null }, { words: url, url });
    from = start + url.length;
  }
  return [...parts, { words: words.slice(from), url: null }];
}

const UNLINKED = new Set(["a", "code", "pre", "kbd", "samp"]);

/** Makes the addresses that stand as words in HTML links, as the apps show them. */
export function linkAddresses(tree: Node) {
  if (UNLINKED.has(tree.tagName ?? "")) return;
  tree.children = tree.children?.flatMap((child) => {
    if (child.type !== "text") linkAddresses(child);
    return child.type === "text" && /https?:/i.test(child.value ?? "") ? linked(child.value!) : [child];
  });
}

const linked = (value: string) =>
  partsOf(value)
    .filter(({ words }) => words !== "")
    .map(({ words, url }): Node => {
      if (url === null) return text(words);
      return { type: "element", tagName: "a", properties: { href: url }, children: [text(words)] };
    });
