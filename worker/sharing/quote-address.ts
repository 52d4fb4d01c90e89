/** Quotes’ pictures and clips, by shape, in pixels: even numbers, which video needs. */
export const quoteShapes = {
  square: { width: 1080, height: 1080 },
  portrait: { width: 1080, height: 1920 },
  wide: { width: 1200, height: 630 },
};
export type QuoteShape = keyof typeof quoteShapes;
export const shapeNames: Record<QuoteShape, string> = {
  square: "Square",
  portrait: "Portrait",
  wide: "Wide",
};

/** Characters that fit on a picture in every shape and script. */
export const LONGEST_QUOTE = 280;

/**
 * Where a quote is in an episode's transcript: the index of the paragraph, as the page shows them, and UTF-16 units of its
 * text. A transcript without times is one paragraph.
 */
export type QuotePlace = { paragraph: number; from: number; to: number };

/** The header with the token of a preview link, for an episode that is not published. An address would be logged. */
export const PREVIEW_TOKEN = "Preview-Token";

/** The address of a quote's picture, below `/share`. */
export const quotePath = (episodeId: number, { paragraph, from, to }: QuotePlace, shape: QuoteShape) =>
  `/quotes/${episodeId}/${paragraph}/${from}-${to}/${shape}`;

/** A word with its inner apostrophes, hyphens and full stops, or another character. */
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’.·־-][\p{L}\p{M}\p{N}]+)*|[^]/gu;
/** Scripts that write words without spaces: each letter of theirs, with its marks, is a token. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}]\p{M}*/gu;

/** UTF-16 units. A longer sequence is no word, and a transcript may be one of 600,000. */
const LONGEST_WORD = 200;

/** The part of a text, widened to whole words, without spaces at its ends. Null if that part does not exist, or has no letter. */
export function wholeWords(text: string, from: number, to: number) {
  if (from < 0 || to > text.length || from >= to) return null;
  let [start, end] = [from, to];
  const widen = (first: number, last: number) => {
    if (last <= from || first >= to) return;
    start = Math.min(start, first);
    end = Math.max(end, last);
  };
  const first = Math.max(0, from - LONGEST_WORD);
  for (const { index: at, 0: token } of text.slice(first, to + LONGEST_WORD).matchAll(TOKEN)) {
    const index = first + at;
    if (index >= to) break;
    const parts = UNSPACED.test(token) ? token.matchAll(LETTER) : [{ index: 0, 0: token }];
    for (const part of parts) widen(index + part.index, index + part.index + part[0].length);
  }
  const words = text.slice(start, end);
  if (!/[\p{L}\p{N}]/u.test(words)) return null;
  start += words.length - words.trimStart().length;
  end -= words.length - words.trimEnd().length;
  return { from: start, to: end, words: text.slice(start, end) };
}
