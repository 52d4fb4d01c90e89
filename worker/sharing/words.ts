import type { FontMetrics } from "#worker/sharing/font-metrics.ts";

/** Sizes in px, the largest that fits first. */
type Box = { width: number; height: number; sizes: number[]; leading: number };

export type SetText = { size: number; lines: string[] };

/**
 * Sets a text in lines at the largest size that fits; cuts it with an ellipsis if the smallest does not fit. Breaks a
 * word that is longer than a line.
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

/** Breaks words into lines of at most `width` ems. */
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

/** The beginning of a text, at most `width` ems wide but at least one character. */
function cut(text: string, font: FontMetrics, width: number) {
  const letters = [...text];
  let end = letters.length;
  while (end > 1 && font.widthOf(letters.slice(0, end).join("")) > width) end--;
  return letters.slice(0, end).join("");
}

/** Characters that pictures omit: emoji, and their joiners and modifiers. */
const EMOJI =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0e|\ufe0f|\u20e3/gu;

/** The text in one line, without omitted characters; empty if the font lacks a letter: boxes are worse than nothing. */
export function writable(text: string, font: FontMetrics) {
  const line = text
    .normalize("NFC")
    .replace(EMOJI, (sign) => (font.has(sign) ? sign : " "))
    .replace(/\s+/g, " ")
    .trim();
  return [...line].every((character) => font.has(character)) ? line : "";
}
