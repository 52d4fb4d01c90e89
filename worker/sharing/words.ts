import type { FontMetrics } from "#worker/sharing/font-metrics.ts";

/** Sizes in px, the largest that fits first. */
type Box = { width: number; height: number; sizes: number[]; leading: number };

export type SetText = { size: number; lines: string[] };

/** A part of a text that stays in one line, and whether a space precedes it. */
type Piece = { text: string; isSpaced: boolean };

/**
 * Sets a text in lines at the largest size that fits; cuts it with an ellipsis if the smallest does not fit. Breaks a
 * word that is longer than a line.
 */
export function setText(text: string, font: FontMetrics, { width, height, sizes, leading }: Box): SetText {
  const pieces = piecesOf(text);
  for (const size of sizes) {
    const lines = linesOf(pieces, font, width / size);
    const isWhole = lines.every((line) => font.widthOf(line) <= width / size);
    if (isWhole && lines.length * size * leading <= height) return { size, lines };
  }
  const size = sizes.at(-1)!;
  const broken = linesOf(breakPieces(pieces, font, width / size), font, width / size);
  const most = Math.floor(height / (size * leading));
  if (broken.length <= most) return { size, lines: broken };
  return {
    size,
    lines: [...broken.slice(0, most - 1), `${cut(broken[most - 1]!, font, width / size - 1)}…`],
  };
}

/** Breaks a text into lines of at most `width` ems. */
function linesOf(pieces: Piece[], font: FontMetrics, width: number) {
  const lines: string[] = [];
  for (const { text, isSpaced } of pieces) {
    const longer = `${lines.at(-1)}${isSpaced ? " " : ""}${text}`;
    if (lines.length > 0 && font.widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}

/** Scripts that write words without spaces between them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** What no line begins or ends with: closing and opening punctuation, small kana, and marks that repeat or lengthen. */
const NOT_FIRST = /^[\p{Pe}\p{Pf}\p{Po}\p{M}ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮๆฯ]/u;
const NOT_LAST = /[\p{Ps}\p{Pi}]$/u;

const words = new Intl.Segmenter("und", { granularity: "word" });

const piecesOf = (text: string) =>
  text
    .split(" ")
    .flatMap((word) => unspacedParts(word).map((part, index) => ({ text: part, isSpaced: index === 0 })));

function unspacedParts(word: string) {
  if (!UNSPACED.test(word)) return [word];
  const parts: string[] = [];
  for (const { segment } of words.segment(word)) {
    const before = parts.at(-1);
    if (before !== undefined && (NOT_FIRST.test(segment) || NOT_LAST.test(before)))
      parts[parts.length - 1] = before + segment;
    else parts.push(segment);
  }
  return parts;
}

const breakPieces = (pieces: Piece[], font: FontMetrics, width: number) =>
  pieces.flatMap(({ text, isSpaced }) => {
    const broken: Piece[] = [];
    let rest = text;
    while (font.widthOf(rest) > width) {
      const piece = cut(rest, font, width);
      if (piece === rest) break;
      broken.push({ text: piece, isSpaced: isSpaced && broken.length === 0 });
      rest = rest.slice(piece.length);
    }
    return [...broken, { text: rest, isSpaced: isSpaced && broken.length === 0 }];
  });

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Devanagari's virama at the end of a part: the letter after it merges with the one before. */
const IS_HALF = /\u094d\u200d?$/;

/** What a reader sees as characters: a letter with its marks, or letters that merge. */
export function charactersOf(text: string) {
  const characters: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const before = characters.at(-1);
    if (before !== undefined && IS_HALF.test(before) && /^\p{L}/u.test(segment))
      characters[characters.length - 1] = before + segment;
    else characters.push(segment);
  }
  return characters;
}

/** The beginning of a text, at most `width` ems wide but at least one character. */
function cut(text: string, font: FontMetrics, width: number) {
  const letters = charactersOf(text);
  let end = letters.length;
  while (end > 1 && font.widthOf(letters.slice(0, end).join("")) > width) end--;
  return letters.slice(0, end).join("");
}

/** Emoji with their joiners and modifiers, which pictures omit. A joiner between letters shapes them. */
const EMOJI =
  /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\ufe0e\ufe0f\u20e3])\u200d?/gu;

/** The text in one line, without emoji and without characters that no font has: a box is worse than a gap. */
export function writable(text: string, font: FontMetrics) {
  const line = text
    .normalize("NFC")
    .replace(EMOJI, (sign) => (font.has(sign) ? sign : " "))
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]/g, "");
  return [...line]
    .map((character) => (/\s/.test(character) || font.has(character) ? character : " "))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
