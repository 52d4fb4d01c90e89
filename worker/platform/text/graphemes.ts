/** User-perceived characters: an emoji of eleven code points is one. Shared by the browser and the contracts. */
const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

/**
 * Without a segmenter (Firefox before 125): code points that extend the previous character. A flag then counts as two.
 */
const CONTINUATION = /\p{M}|\p{Emoji_Modifier}|\u200d./gsu;

/** Code units that a character may have at most on average: the longest emoji have about 20. */
export const MOST_UNITS = 20;

/** Whether a text has more than `max` characters. A text of very many marks on few letters is too long, too. */
export function isLongerThan(max: number, text: string) {
  if (text.length <= max) return false;
  if (text.length > max * MOST_UNITS) return true;
  return countCharacters(text) > max;
}

export function countCharacters(text: string) {
  let count = 0;
  for (const _ of segmenter?.segment(text) ?? text.replace(CONTINUATION, "")) count++;
  return count;
}
