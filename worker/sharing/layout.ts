import { drawLand, type Land } from "#worker/platform/artwork/generated-artwork.ts";
import { escapeText } from "#worker/platform/http/rss.ts";
import { isRightToLeft, visualRuns, type Face, type FontStack, type Run } from "#worker/sharing/runs.ts";
import { SHARE_HEIGHT, SHARE_WIDTH, type ShareSubject } from "#worker/sharing/subject.ts";
import { charactersOf, setText, writable } from "#worker/sharing/words.ts";

/** The day edition's colours (src/app.css): the picture is the same in both themes. */
export const color = {
  paper: "#faf7f0",
  ink: "#1c1a16",
  muted: "#645e51",
  rule: "#ddd6c8",
  tint: "#f0ebdf",
  accent: "#1f5a4c",
  signal: "#b4531f",
  sky: "#e6dcc6",
  dusk: "#14171a",
  mist: "#7fbfa9",
};

/** Pixels. The cover fills a square at the left. */
export const COVER = SHARE_HEIGHT;
const LEFT = COVER + 60;
const RIGHT = SHARE_WIDTH - 60;
const WIDTH = RIGHT - LEFT;
const TOP = 72;
const BAR = 72;
const LABEL = 28;
const TITLE = { top: 178, height: 390, sizes: [76, 64, 54, 46, 38] };
/** Lines with marks above and below the letters need more room. */
const LEADING = 1.12;
const TALL_LEADING = 1.4;
const TALL = /[\p{Script=Thai}\p{Script=Devanagari}\p{Script=Arabic}]/u;

export type Fonts = {
  serif: FontStack;
  sans: FontStack;
  /** The width in ems of a text whose letters join or merge, as the drawing library writes it. */
  measure?: (run: Run) => number;
};

/** The picture as SVG. `cover` is a data URL of a square JPEG; null draws a landform. */
export function layOut({ title, label, seed, figure }: ShareSubject, fonts: Fonts, cover: string | null) {
  const shownTitle = writable(title, fonts.serif);
  const shownLabel = writable(label, shownTitle ? fonts.sans : fonts.serif);
  const isRtl = isRightToLeft(shownTitle || shownLabel);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}">`,
    `<rect width="100%" height="100%" fill="${color.paper}"/>`,
    cover === null
      ? land({ seed, figure })
      : `<image href="${cover}" width="${COVER}" height="${COVER}" preserveAspectRatio="xMidYMid slice"/>`,
    `<rect x="${isRtl ? RIGHT - BAR : LEFT}" y="${TOP}" width="${BAR}" height="6" fill="${color.accent}"/>`,
    shownTitle && shownLabel && labelOf(shownLabel, fonts, isRtl),
    // A title without a letter that a font has is replaced by the show's name.
    (shownTitle || shownLabel) && titleOf(shownTitle || shownLabel, fonts, isRtl),
    "</svg>",
  ].join("");
}

/** Only the first line of a long name. */
function labelOf(text: string, { sans, measure }: Fonts, isRtl: boolean) {
  const { lines, size } = setText(text, sans, {
    width: WIDTH,
    height: LABEL * 1.3,
    sizes: [LABEL],
    leading: 1.2,
  });
  return line(lines[0]!, sans, { y: TOP + 58, size, fill: color.muted, isRtl, measure });
}

function titleOf(text: string, { serif, measure }: Fonts, isRtl: boolean) {
  const leading = TALL.test(text) ? TALL_LEADING : LEADING;
  const { lines, size } = setText(text, serif, { width: WIDTH, ...TITLE, leading });
  return lines
    .map((each, index) => {
      const y = TITLE.top + size * 0.8 + index * size * leading;
      return line(each, serif, { y, size, fill: color.ink, isRtl, measure });
    })
    .join("");
}

type LineStyle = {
  y: number;
  size: number;
  fill: string;
  /** The line begins at the right edge. */
  isRtl: boolean;
  measure: Fonts["measure"];
};

/** Each run is an element of its own: resvg drops a text whose fonts make different numbers of glyphs of it. */
function line(text: string, stack: FontStack, { y, size, fill, isRtl, measure }: LineStyle) {
  const runs = visualRuns(text, stack, isRtl).flatMap(elementsOf);
  const widthOf = (run: Run) =>
    size * ((SHAPED.test(run.text) && measure?.(run)) || run.face.widthOf(run.text));
  const isAlone = runs.length === 1;
  // The width of a line's only run is known to resvg.
  const start = isRtl && !isAlone ? RIGHT - runs.reduce((sum, run) => sum + widthOf(run), 0) : LEFT;
  let x = start;
  return runs
    .map((run) => {
      const place = { x, y, size, fill };
      if (!isAlone) x += widthOf(run);
      if (run.text.trim() === "") return "";
      return element(run, isRtl && isAlone ? { ...place, x: RIGHT, isEnd: true } : place);
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

const land = (art: Land) =>
  `<svg width="${COVER}" height="${COVER}" viewBox="0 0 600 600">` +
  drawLand(art).replace(/var\(--color-(\w+)\)/g, (_, name: keyof typeof color) => color[name]) +
  "</svg>";
