import { drawLand, type Land } from "#worker/platform/artwork/generated-artwork.ts";
import { escapeText } from "#worker/platform/http/rss.ts";
import type { FontMetrics } from "#worker/sharing/font-metrics.ts";
import { SHARE_HEIGHT, SHARE_WIDTH, type ShareSubject } from "#worker/sharing/subject.ts";
import { setText, writable } from "#worker/sharing/words.ts";

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
const WIDTH = SHARE_WIDTH - LEFT - 60;
const TOP = 72;
const LABEL = 28;
const TITLE = { top: 178, height: 390, sizes: [76, 64, 54, 46, 38], leading: 1.12 };

export type Fonts = { serif: FontMetrics; sans: FontMetrics };

/** The picture as SVG. `cover` is a data URL of a square JPEG; null draws a landform. */
export function layOut({ title, label, seed, figure }: ShareSubject, fonts: Fonts, cover: string | null) {
  const shownTitle = writable(title, fonts.serif);
  const shownLabel = writable(label, shownTitle ? fonts.sans : fonts.serif);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}">`,
    `<rect width="100%" height="100%" fill="${color.paper}"/>`,
    cover === null
      ? land({ seed, figure })
      : `<image href="${cover}" width="${COVER}" height="${COVER}" preserveAspectRatio="xMidYMid slice"/>`,
    `<rect x="${LEFT}" y="${TOP}" width="72" height="6" fill="${color.accent}"/>`,
    shownTitle && shownLabel && labelOf(shownLabel, fonts.sans),
    // A title that the font cannot write is replaced by the show's name.
    (shownTitle || shownLabel) && titleOf(shownTitle || shownLabel, fonts.serif),
    "</svg>",
  ].join("");
}

/** Only the first line of a long name. */
function labelOf(text: string, font: FontMetrics) {
  const { lines, size } = setText(text, font, {
    width: WIDTH,
    height: LABEL * 1.3,
    sizes: [LABEL],
    leading: 1.2,
  });
  return line(lines[0]!, { y: TOP + 58, size, family: "Instrument Sans", fill: color.muted });
}

function titleOf(text: string, font: FontMetrics) {
  const { lines, size } = setText(text, font, { width: WIDTH, ...TITLE });
  return lines
    .map((each, index) => {
      const y = TITLE.top + size * 0.8 + index * size * TITLE.leading;
      return line(each, { y, size, family: "Newsreader", fill: color.ink });
    })
    .join("");
}

type LineStyle = { y: number; size: number; family: string; fill: string };

const line = (text: string, { y, size, family, fill }: LineStyle) =>
  `<text x="${LEFT}" y="${y.toFixed(1)}" font-family="${family}" font-weight="500" font-size="${size}" fill="${fill}">${escapeText(text)}</text>`;

const land = (art: Land) =>
  `<svg width="${COVER}" height="${COVER}" viewBox="0 0 600 600">` +
  drawLand(art).replace(/var\(--color-(\w+)\)/g, (_, name: keyof typeof color) => color[name]) +
  "</svg>";
