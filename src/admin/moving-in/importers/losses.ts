import type { Element } from "hast";
import { addressOf } from "./addresses.ts";
import { elementsIn, find, hasClass, property, type Parent } from "./tree.ts";

/** Styles that Markdown has no marks for. */
const STYLED = /(?:^|;)\s*(?:color|background(?:-color)?|font-size|text-decoration|text-align)\s*:/i;
const STYLE_CLASS = /^has-(?:[\w-]+-(?:color|background|font-size)|text-align-(?:center|right))$/;
const STYLE_TAGS = new Set(["font", "center", "u", "mark"]);

/** What a text has that Markdown does not, without changing it. */
export function nameLosses(tree: Parent, notes: Set<string>) {
  for (const node of elementsIn(tree)) {
    if (isStyled(node)) notes.add("Colours, underlining and alignment of its text aren’t kept.");
    else if (/background(?:-image)?\s*:[^;]{0,200}url\(/i.test(property(node, "style")))
      notes.add("A background picture is left out.");
    else if (node.tagName === "details") notes.add("Collapsed parts are shown open.");
    else if (hasClass(node, /^wp-block-columns$/)) notes.add("Columns follow one another.");
    else if (node.tagName === "td" || node.tagName === "th") nameMerged(node, notes);
    else if (node.tagName === "a" && property(node, "href").startsWith("#") && !isNote(node))
      notes.add("Links to places within its text are plain words.");
  }
}

const isStyled = (node: Element) =>
  STYLE_TAGS.has(node.tagName) ||
  STYLED.test(property(node, "style")) ||
  hasClass(node, STYLE_CLASS) ||
  (["p", "h1", "h2", "h3", "h4", "h5", "h6"].includes(node.tagName) &&
    /^(?:center|right)$/i.test(property(node, "align")));

const isNote = (node: Element) =>
  hasClass(node, /footnote/) || find(node, ({ tagName }) => tagName === "sup") !== null;

function nameMerged(node: Element, notes: Set<string>) {
  if (["colSpan", "rowSpan"].some((name) => Number(property(node, name)) > 1))
    notes.add("Merged cells of a table are split.");
}

const FILE =
  /\.(?:pdf|epub|mobi|docx?|xlsx?|pptx?|od[tsp]|zip|mp3|m4a|ogg|opus|wav|mp4|m4v|mov|webm|txt|csv)$/i;

/** Notes the names of files whose links still lead to the old site. */
export function nameFiles(tree: Parent, base: string | null, notes: Set<string>) {
  const own = base === null ? null : URL.parse(base)?.host.replace(/^www\./, "");
  const files: string[] = [];
  for (const node of elementsIn(tree)) {
    if (node.tagName !== "a") continue;
    const url = addressOf(property(node, "href"), base);
    if (url && url.host.replace(/^www\./, "") === own && FILE.test(url.pathname))
      files.push(url.pathname.split("/").at(-1)!);
  }
  if (files.length > 0) notes.add(`Files stay at the old site, and are links: ${listed(files)}.`);
}

const SHOWN = 5;
/** The first of several names. */
export function listed(names: string[]) {
  const all = [...new Set(names)];
  return all.slice(0, SHOWN).join(", ") + (all.length > SHOWN ? ` and ${all.length - SHOWN} more` : "");
}
