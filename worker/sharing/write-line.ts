import { escapeText } from "#worker/platform/http/rss.ts";
import { visualRuns, type Face, type FontStack, type Run } from "#worker/sharing/runs.ts";
import { charactersOf } from "#worker/sharing/words.ts";

export type Fonts = {
  serif: FontStack;
  sans: FontStack;
  /** The width in ems of a text whose letters join or merge, as the drawing library writes it. */
  measure?: (run: Run) => number;
};

/** Lines with marks above and below the letters need more room. */
export const leadingOf = (text: string) => (TALL.test(text) ? 1.4 : 1.12);
const TALL = /[\p{Script=Thai}\p{Script=Devanagari}\p{Script=Arabic}]/u;

type LineStyle = {
  /** The edges of the text's room. */
  left: number;
  right: number;
  y: number;
  size: number;
  fill: string;
  /** The line begins at the right edge. */
  isRtl: boolean;
  /** Whether its text is written from right to left; by default as `isRtl`. */
  isRtlText?: boolean;
  measure: Fonts["measure"];
};

/** Each run is an element of its own: resvg drops a text whose fonts make different numbers of glyphs of it. */
export function writeLine(
  text: string,
  stack: FontStack,
  { left, right, y, size, fill, isRtl, isRtlText = isRtl, measure }: LineStyle,
) {
  const runs = visualRuns(text, stack, isRtlText).flatMap(elementsOf);
  const widthOf = (run: Run) =>
    size * ((SHAPED.test(run.text) && measure?.(run)) || run.face.widthOf(run.text));
  const isAlone = runs.length === 1;
  // The width of a line's only run is known to resvg.
  const start = isRtl && !isAlone ? right - runs.reduce((sum, run) => sum + widthOf(run), 0) : left;
  let x = start;
  return runs
    .map((run) => {
      const place = { x, y, size, fill };
      if (!isAlone) x += widthOf(run);
      if (run.text.trim() === "") return "";
      return element(run, isRtl && isAlone ? { ...place, x: right, isEnd: true } : place);
    })
    .join("");
}

/** Scripts of which resvg overlaps the letters that have several glyphs side by side. */
const SYLLABIC = /[\p{Script=Thai}\p{Script=Devanagari}]/u;

/** SVG ignores a space at the edge of a text. */
const elementsOf = ({ text, face }: Run) =>
  (SYLLABIC.test(text) ? charactersOf(text) : text.split(/^( +)|( +)$/u))
    .filter(Boolean)
    .map((part) => ({ text: part, face }));

/** Letters that are narrower together than alone: Arabic's, and those that a virama merges. */
const SHAPED = /[\p{Script=Arabic}\u094d]/u;

type Place = { x: number; y: number; size: number; fill: string; isEnd?: true };

function element({ text, face }: Run, { x, y, size, fill, isEnd }: Place) {
  const anchor = isEnd ? ' text-anchor="end"' : "";
  return (
    `<text x="${round(x)}" y="${y.toFixed(1)}" font-family="${face.name}" font-weight="500" font-size="${size}"` +
    `${anchor} fill="${fill}"${outlineOf(face, size, fill)}>${escapeText(text)}</text>`
  );
}

const outlineOf = ({ outline }: Face, size: number, fill: string) =>
  outline === 0 ? "" : ` stroke="${fill}" stroke-width="${round(outline * size)}" stroke-linejoin="round"`;

const round = (value: number) => Number(value.toFixed(1));
