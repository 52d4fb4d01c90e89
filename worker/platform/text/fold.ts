/** Invisible characters: soft hyphens, zero-width spaces and joiners, byte order marks; and the Arabic tatweel. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

// oxlint-disable-next-line no-control-regex
export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** A text in lower case and in one encoding: without unseen characters, ligatures, full-width and half-width forms. */
export const normalizeText = (text: string) =>
  isAscii(text)
    ? text.toLowerCase()
    : text.replace(UNSEEN, "").normalize("NFKC").toLowerCase().replaceAll("ς", "σ");

/**
 * Accents, points of Arabic and Hebrew, nuktas of Indic scripts. Not the marks of kana, which make different letters.
 */
export const ACCENTS = new RegExp(
  String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]`,
  "g",
);

/** Letters that do not decompose, each with its plain spelling, as in ICU's Latin-ASCII. */
const letters = new Map(
  "ßss æae œoe øo đd ðd þth łl ħh ıi ŋn ŧt ɓb ɗd ɖd ƙk ƴy ɛe əe ǝe ɔo ɲn ɣg ǥg ʒz ƶz ɨi ʉu ƀb ʻ ʼ ʽ ʾ ʿ ٱا ةه ىي یي کك ھه ہه ۃه"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const OTHER = /[ßæœøđðþłħıŋŧɓɗɖƙƴɛəǝɔɲɣǥʒƶɨʉƀʻʼʽʾʿٱةىیکھہۃ]/g;

/** Digits of Arabic, Persian, Devanagari and Bengali. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;
/** The zeros of the Arabic and Persian digits end in 0 (hexadecimal), those of the others in 6. */
const toDigit = (digit: string) =>
  String((digit.charCodeAt(0) - (digit.charCodeAt(0) < 0x0900 ? 0 : 6)) & 0xf);

/** A text in the plain lower-case letters of its script, for search: Łukasz as lukasz. */
export function foldText(text: string) {
  const normalized = normalizeText(text);
  if (isAscii(normalized)) return normalized;
  return normalized
    .normalize("NFD")
    .replace(ACCENTS, "")
    .replace(OTHER, (letter) => letters.get(letter) ?? "")
    .replace(DIGITS, toDigit)
    .normalize("NFC");
}

const vowels: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

/** The plain spellings of a word: Müller as muller and as mueller, as German and Danish write it without umlauts. */
export function spellingsOf(word: string) {
  const normalized = normalizeText(word);
  const respelt = normalized.replace(/[äöüåø]/g, (vowel) => vowels[vowel] ?? "");
  const folded = foldText(normalized);
  return respelt === normalized ? [folded] : [folded, foldText(respelt)];
}
