import { AppError } from "#worker/platform/errors.ts";
import { color, landform } from "#worker/sharing/layout.ts";
import { quoteShapes, type QuoteShape } from "#worker/sharing/quote-address.ts";
import { isRightToLeft } from "#worker/sharing/runs.ts";
import type { Quote, ShareSubject } from "#worker/sharing/subject.ts";
import { setText, writable } from "#worker/sharing/words.ts";
import { leadingOf, writeLine, type Fonts } from "#worker/sharing/write-line.ts";

/** Pixels. Sizes of the words, the largest that fits first. */
type Plan = { margin: number; top: number; bottom: number; cover: number; small: number; sizes: number[] };

/** Apps cover the top and the bottom of a portrait with controls of their own. */
const plans: Record<QuoteShape, Plan> = {
  wide: { margin: 60, top: 56, bottom: 56, cover: 120, small: 26, sizes: [62, 54, 47, 41, 36, 32, 28] },
  square: { margin: 80, top: 84, bottom: 84, cover: 160, small: 32, sizes: [92, 80, 70, 62, 54, 47, 41, 36] },
  portrait: {
    margin: 90,
    top: 250,
    bottom: 330,
    cover: 190,
    small: 36,
    sizes: [104, 92, 80, 70, 62, 54, 47, 41],
  },
};

const BAR = { width: 72, height: 6 };
/** Between the bar, the words and the cover. */
const GAP = 44;

/**
 * The picture of a quote as SVG. `cover` is a data URL of a square JPEG; null draws a landform.
 * @throws `invalid` if a letter of the words has no font, or if they do not fit: a quote is whole, or there is none
 */
export function layOutQuote(subject: ShareSubject, quote: Quote, fonts: Fonts, cover: string | null) {
  const { width, height } = quoteShapes[quote.shape];
  const { margin, top, bottom, cover: side, sizes } = plans[quote.shape];
  const text = writable(quote.text, fonts.serif);
  if (lettersOf(text) !== lettersOf(quote.text)) throw cannotWrite();
  const isRtl = isRightToLeft(text);
  const room = { top: top + BAR.height + GAP, bottom: height - bottom - side - GAP };
  const leading = leadingOf(text);
  const { lines, size } = setText(text, fonts.serif, {
    width: width - 2 * margin,
    height: room.bottom - room.top,
    sizes,
    leading,
  });
  if (lettersOf(lines.join("")) !== lettersOf(text)) throw tooLong();
  const lineHeight = size * leading;
  const first = room.top + (room.bottom - room.top - lines.length * lineHeight) / 2;
  const coverAt = { x: isRtl ? width - margin - side : margin, y: height - bottom - side };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${color.paper}"/>`,
    `<rect x="${isRtl ? width - margin - BAR.width : margin}" y="${top}" width="${BAR.width}" ` +
      `height="${BAR.height}" fill="${color.accent}"/>`,
    ...lines.map((line, index) =>
      writeLine(line, fonts.serif, {
        left: margin,
        right: width - margin,
        y: first + size * 0.8 + index * lineHeight,
        size,
        fill: color.ink,
        isRtl,
        measure: fonts.measure,
      }),
    ),
    cover === null
      ? landform(subject, side, `x="${coverAt.x}" y="${coverAt.y}"`)
      : `<image href="${cover}" x="${coverAt.x}" y="${coverAt.y}" width="${side}" height="${side}" ` +
        'preserveAspectRatio="xMidYMid slice"/>',
    sourceOf(subject, quote, fonts, isRtl),
    "</svg>",
  ].join("");
}

/** Beside the cover: who says it, the episode and the show, in a line each. */
function sourceOf({ title, label }: ShareSubject, { speaker, shape }: Quote, fonts: Fonts, isRtl: boolean) {
  const { width, height } = quoteShapes[shape];
  const { margin, bottom, cover: side, small } = plans[shape];
  const inset = margin + side + 28;
  const [left, right] = isRtl ? [margin, width - inset] : [inset, width - margin];
  const lines = [
    { text: writable(speaker, fonts.sans), fill: color.ink },
    { text: writable(title, fonts.sans), fill: speaker ? color.muted : color.ink },
    { text: writable(label, fonts.sans), fill: color.muted },
  ].filter(({ text }) => text !== "");
  const leading = small * 1.4;
  const top = height - bottom - side / 2 - (lines.length * leading) / 2;
  return lines
    .map(({ text, fill }, index) => {
      const one = { width: right - left, height: small * 1.3, sizes: [small], leading: 1.2 };
      const [line] = setText(text, fonts.sans, one).lines;
      const y = top + index * leading + small;
      const isRtlText = isRightToLeft(text);
      const style = { left, right, y, size: small, fill, isRtl, isRtlText, measure: fonts.measure };
      return writeLine(line!, fonts.sans, style);
    })
    .join("");
}

const lettersOf = (text: string) => text.normalize("NFC").replace(/[^\p{L}\p{N}]/gu, "");

const cannotWrite = () =>
  new AppError("invalid", "The pictures’ fonts lack some of these letters. Select fewer words, or others.");
const tooLong = () => new AppError("invalid", "These words don’t fit on a picture. Select fewer.");
