import { drawLand, type Land } from "#worker/platform/artwork/generated-artwork.ts";
import { isRightToLeft } from "#worker/sharing/runs.ts";
import { SHARE_HEIGHT, SHARE_WIDTH, type ShareSubject } from "#worker/sharing/subject.ts";
import { setText, writable } from "#worker/sharing/words.ts";
import { leadingOf, writeLine, type Fonts } from "#worker/sharing/write-line.ts";

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

/** The picture as SVG. `cover` is a data URL of a square JPEG; null draws a landform. */
export function layOut({ title, label, seed, figure }: ShareSubject, fonts: Fonts, cover: string | null) {
  const shownTitle = writable(title, fonts.serif);
  const shownLabel = writable(label, shownTitle ? fonts.sans : fonts.serif);
  const isRtl = isRightToLeft(shownTitle || shownLabel);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}">`,
    `<rect width="100%" height="100%" fill="${color.paper}"/>`,
    cover === null
      ? landform({ seed, figure }, COVER)
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
  return writeLine(lines[0]!, sans, {
    left: LEFT,
    right: RIGHT,
    y: TOP + 58,
    size,
    fill: color.muted,
    isRtl,
    measure,
  });
}

function titleOf(text: string, { serif, measure }: Fonts, isRtl: boolean) {
  const leading = leadingOf(text);
  const { lines, size } = setText(text, serif, { width: WIDTH, ...TITLE, leading });
  return lines
    .map((each, index) => {
      const y = TITLE.top + size * 0.8 + index * size * leading;
      return writeLine(each, serif, { left: LEFT, right: RIGHT, y, size, fill: color.ink, isRtl, measure });
    })
    .join("");
}

/** A square landform. */
export const landform = (art: Land, size: number, at = "") =>
  `<svg ${at} width="${size}" height="${size}" viewBox="0 0 600 600">` +
  drawLand(art).replace(/var\(--color-(\w+)\)/g, (_, name: keyof typeof color) => color[name]) +
  "</svg>";
