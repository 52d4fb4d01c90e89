import type { Library } from "./shortcodes.ts";

/** A self-closing block comment: WordPress renders it when it shows the post. */
const DRAWN = /<!--\s+wp:([a-z][a-z0-9_-]{0,20}(?:\/[a-z][a-z0-9_-]{0,20})?)(\s[^<>]*?)?\/-->/g;
/** Blocks without content of their own. */
const SILENT = new Set(["footnotes", "more", "nextpage", "spacer", "separator"]);
/** Levels of nested patterns. */
const DEEPEST = 4;

/** Replaces references to shared patterns by their content. */
export const withPatterns = (content: string, library: Library, depth = 0): string =>
  content.replace(DRAWN, (block, name: string, values = "") => {
    const pattern = name === "block" && depth < DEEPEST ? library.pattern(refOf(values)) : null;
    return pattern === null ? block : withPatterns(pattern, library, depth + 1);
  });

const refOf = (values: string) => /"ref":\s*(\d+)/.exec(values)?.[1] ?? "";

/** A block with an end and no content. */
const EMPTY =
  /<!--\s+wp:([a-z][a-z0-9_-]{0,30}(?:\/[a-z][a-z0-9_-]{0,40})?)(?:\s[^<>]*?)?-->\s{0,20}<!--\s+\/wp:\1\s+-->/g;
/** Blocks that contain the author's text, or other blocks. */
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

/** The names of blocks that cannot be imported; `block` is a pattern that is missing in the export. */
export const drawnBlocks = (content: string) =>
  [
    ...Array.from(content.matchAll(DRAWN), ([, name]) => name!),
    ...Array.from(content.matchAll(EMPTY), ([, name]) => name!).filter((name) => !HOLDERS.has(name)),
  ].filter((name) => !SILENT.has(name));
