import type { FontMetrics } from "#worker/sharing/font-metrics.ts";

/** Sizes in px, the largest that fits first. */
type Box = { width: number; height: number; sizes: number[]; leading: number };

export type SetText = { size: number; lines: string[] };

/**
 * A text as large as it fits, in lines; cut with an ellipsis where the smallest does not fit. A word that is longer than a
 * line is broken.
 */
export function setText(text: string, font: FontMetrics, { width, height, sizes, leading }: Box): SetText {
  for (const size of sizes) {
    const lines = linesOf(text, font, width / size);
    const isWhole = lines.every((line) => font.widthOf(line) <= width / size);
    if (isWhole && lines.length * size * leading <= height) return { size, lines };
  }
  const size = sizes.at(-1)!;
  const broken = linesOf(breakWords(text, font, width / size), font, width / size);
  const most = Math.floor(height / (size * leading));
  if (broken.length <= most) return { size, lines: broken };
  return {
    size,
    lines: [...broken.slice(0, most - 1), `${cut(broken[most - 1]!, font, width / size - 1)}…`],
  };
}

/** Words in lines of at most `width` ems, where a word allows it. */
function linesOf(text: string, font: FontMetrics, width: number) {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && font.widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function breakWords(text: string, font: FontMetrics, width: number) {
  const pieces: string[] = [];
  for (let word of text.split(" ")) {
    while (font.widthOf(word) > width) {
      const piece = cut(word, font, width);
      pieces.push(piece);
      word = word.slice(piece.length);
    }
    pieces.push(word);
  }
  return pieces.join(" ");
}

/** The beginning of a text that is at most `width` ems wide, of one character at least. */
function cut(text: string, font: FontMetrics, width: number) {
  const letters = [...text];
  let end = letters.length;
  while (end > 1 && font.widthOf(letters.slice(0, end).join("")) > width) end--;
  return letters.slice(0, end).join("");
}

/** Signs that a picture does without: emoji, and what joins and colours them. */
const EMOJI =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0e|\ufe0f|\u20e3/gu;

/** A text as the font can write it, in one line; empty where it lacks a letter of it: boxes are worse than nothing. */
export function writable(text: string, font: FontMetrics) {
  const line = text
    .normalize("NFC")
    .replace(EMOJI, (sign) => (font.has(sign) ? sign : " "))
    .replace(/\s+/g, " ")
    .trim();
  return [...line].every((character) => font.has(character)) ? line : "";
}
