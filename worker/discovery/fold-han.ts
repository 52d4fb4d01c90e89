import characters from "opencc-js/dict/TSCharacters";

/**
 * Maps traditional characters to simplified ones of the same length in UTF-16, so that positions of matches stay valid.
 */
const simplified = new Map(
  characters
    .split("|")
    .map((pair) => pair.split(" ") as [string, string])
    .filter(([from, to]) => from !== to && from.length === to.length),
);

const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;
/** The distance from a hiragana to its katakana. */
const TO_HIRAGANA = 0x60;
const HAN = /\p{sc=Han}/gu;

/** A normalised run of Chinese or Japanese in simplified characters and hiragana, for matching. */
export const foldHan = (text: string) =>
  text
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - TO_HIRAGANA))
    .replace(HAN, (character) => simplified.get(character) ?? character);
