import type { Library } from "./shortcodes.ts";

/** A block that is a comment alone: WordPress draws it when it shows the post. */
const DRAWN = /<!--\s+wp:([a-z][a-z0-9_-]{0,20}(?:\/[a-z][a-z0-9_-]{0,20})?)(\s[^<>]*?)?\/-->/g;
/** They show nothing of their own. */
const SILENT = new Set(["footnotes", "more", "nextpage", "spacer", "separator"]);
/** Patterns one within the other. */
const DEEPEST = 4;

/** With the patterns that several posts share in their places. */
export const withPatterns = (content: string, library: Library, depth = 0): string =>
  content.replace(DRAWN, (block, name: string, values = "") => {
    const pattern = name === "block" && depth < DEEPEST ? library.pattern(refOf(values)) : null;
    return pattern === null ? block : withPatterns(pattern, library, depth + 1);
  });

const refOf = (values: string) => /"ref":\s*(\d+)/.exec(values)?.[1] ?? "";

/** A block with an end and nothing in it. */
const EMPTY =
  /<!--\s+wp:([a-z][a-z0-9_-]{0,30}(?:\/[a-z][a-z0-9_-]{0,40})?)(?:\s[^<>]*?)?-->\s{0,20}<!--\s+\/wp:\1\s+-->/g;
/** They hold text of the author's, or other blocks. */
const HOLDERS = new Set([
  "paragraph",
  "heading",
  "html",
  "freeform",
  "shortcode",
  "group",
  "column",
  "columns",
  "list",
]);

/** The names of blocks that nothing stands for here; `block` is a pattern that was not found. */
export const drawnBlocks = (content: string) =>
  [
    ...Array.from(content.matchAll(DRAWN), ([, name]) => name!),
    ...Array.from(content.matchAll(EMPTY), ([, name]) => name!).filter((name) => !HOLDERS.has(name)),
  ].filter((name) => !SILENT.has(name));
