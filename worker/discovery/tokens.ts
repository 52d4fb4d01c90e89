import { foldHan } from "#worker/discovery/fold-han.ts";
import { ACCENTS, foldText, isAscii, normalizeText, spellingsOf } from "#worker/platform/text/fold.ts";

/**
 * Splits texts and queries into words of the index.
 *
 * - A word is indexed as it is written and, where that differs, by its plain spellings.
 * - Chinese, Japanese and Korean are indexed by two characters each, other scripts without spaces by three. A character
 * is the beginning of one of them, so that a single one is found as a beginning. Traditional characters and katakana
 * are indexed as simplified ones and as hiragana, too.
 * - Words joined by a hyphen, an apostrophe or full stops are indexed apart, and as one plain word.
 */

/** Words that are joined to one. */
type Piece = { start: number; end: number; parts: Part[]; joiner: "" | "-" | "'" | "."; sign: string };
/** Where a word is in a text (UTF-16 units), and the word as it is there. */
export type Part = { start: number; end: number; text: string };

const WORD = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{DI}]*`;
const HYPHENS = "‐‑﹣－־-";
const JOINER = `['’‘ʼ＇׳״${HYPHENS}]`;
const HYPHEN = new RegExp(`[${HYPHENS}]`);
const ACRONYM = String.raw`(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}\p{M}]))?`;
/** As in C++ and C#. */
const SIGN = String.raw`\+\+|#(?![\p{L}\p{N}])`;
const PIECE = new RegExp(
  `${ACRONYM}|${WORD}(?:${SIGN}|(?:${JOINER}${WORD})+)?|(?![©®™‼⁉ℹ])\\p{ExtPict}`,
  "gu",
);
const WORDS = new RegExp(WORD, "gu");
const LETTER = /\p{L}/gu;
const ENDS_IN_SIGN = /(?:\+\+|#)$/;

/** Most words of most texts: the letters A to Z and digits. */
export const isSimple = (word: string) => /^[A-Za-z0-9]+$/.test(word);

/** The words of a text, in order, and where each begins. */
export const wordsIn = (text: string) => text.matchAll(PIECE);

/** The parts of a joined word. */
export function pieceOf({ 0: found, index }: RegExpExecArray): Piece {
  const [sign = ""] = ENDS_IN_SIGN.exec(found) ?? [];
  const isAcronym = found.includes(".");
  const parts = Array.from(found.matchAll(isAcronym ? LETTER : WORDS), (part) => ({
    start: index + part.index,
    end: index + part.index + part[0].length,
    text: part[0],
  }));
  const end = index + found.length;
  if (parts.length === 0) parts.push({ start: index, end, text: found });
  return {
    start: index,
    end,
    parts,
    joiner: parts.length === 1 ? "" : isAcronym ? "." : joinerOf(found),
    sign,
  };
}

const joinerOf = (found: string) => (HYPHEN.test(found) ? "-" : "'");

/** A run within a word: of a script with spaces between words, or of one without. */
export type Run = { kind: "word" | "han" | "hangul" | "dense" | "emoji"; text: string; at: number };

const HAN = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Yiii}`;
const HANGUL = String.raw`\p{sc=Hang}`;
const DENSE = ["Thai", "Laoo", "Khmr", "Mymr", "Lana", "Talu", "Tale", "Tavt", "Java", "Bali"]
  .map((script) => String.raw`\p{sc=${script}}`)
  .join("");
const RUN = new RegExp(
  `(?<han>[${HAN}]+)|(?<hangul>[${HANGUL}]+)|(?<dense>[${DENSE}]+)|[^${HAN}${HANGUL}${DENSE}]+`,
  "gu",
);
/** Scripts below U+0E00 have spaces between words. */
const MAY_BE_DENSE = /[\u0e00-\uffff]/;

/** The runs of a normalised word. */
export function runsOf(word: string): Run[] {
  if (!MAY_BE_DENSE.test(word)) return [{ kind: "word", text: word, at: 0 }];
  if (/^\p{ExtPict}/u.test(word)) return [{ kind: "emoji", text: word, at: 0 }];
  return Array.from(word.matchAll(RUN), ({ 0: text, groups, index }) => ({
    kind: groups?.["han"] ? "han" : groups?.["hangul"] ? "hangul" : groups?.["dense"] ? "dense" : "word",
    text,
    at: index,
  }));
}

/** Characters of a script without spaces that are indexed together. */
export const gramOf = (kind: Run["kind"]) => (kind === "dense" ? 3 : 2);

/** All neighbours of a run, and its end. */
function gramsOf(text: string, length: number) {
  const characters = Array.from(text);
  return characters.map((_, at) => characters.slice(at, at + length).join(""));
}

/**
 * FTS5 drops accents. A written word stores them in private-use characters (U+E000 and up), which count as letters, so
 * that it differs from its plain spelling.
 */
export const written = (word: string) =>
  isAscii(word)
    ? word
    : word
        .normalize("NFD")
        .replace(ACCENTS, (accent) => String.fromCharCode(0xe000 + (accent.charCodeAt(0) & 0xfff)))
        .normalize("NFC");

export const emojiWord = (emoji: string) => `\ue000${emoji.codePointAt(0)!.toString(36)}`;
/** The letters that a sign follows: in a sentence without spaces, its last ones. */
export const signedWord = (word: string, sign: string) =>
  `${foldText(runsOf(normalizeText(word)).at(-1)?.text ?? "")}${"\ue001".repeat(sign === "#" ? 1 : 2)}`;

/** The Arabic article, also behind one of the words of a letter that are written together with it. */
const ARABIC_ARTICLE = /^[وبفك]?ال(?=\p{L}{3})/u;

/** The plain forms that a word is found by. */
export function plainForms(word: string) {
  const forms = spellingsOf(word);
  const bare = forms[0]!.replace(ARABIC_ARTICLE, "");
  return bare === forms[0] ? forms : [...forms, bare];
}

/** Words with more parts are not indexed as one. */
const MOST_JOINED = 5;

export const joinedForm = (parts: string[]) =>
  parts.length > 1 && parts.length <= MOST_JOINED ? foldText(parts.join("")) : null;

/** A text in an index: its words as they are written, and the plain forms that differ from them. */
export type Tokens = { written: string[]; plain: string[] };

/** `isPlain`: without the words as they are written, for an index that ranks nothing. */
export function tokensOf(text: string, isPlain = false): Tokens {
  const tokens: Tokens = { written: [], plain: [] };
  for (const word of wordsIn(text)) {
    if (isSimple(word[0])) {
      (isPlain ? tokens.plain : tokens.written).push(word[0].toLowerCase());
      continue;
    }
    const { parts, joiner, sign } = pieceOf(word);
    for (const part of parts)
      for (const run of runsOf(normalizeText(part.text))) addRun(run, tokens, isPlain);
    if (sign) tokens.plain.push(signedWord(parts[0]!.text, sign));
    const joined = joiner ? joinedForm(parts.map((part) => part.text)) : null;
    if (joined !== null) tokens.plain.push(joined);
  }
  return tokens;
}

function addRun({ kind, text }: Run, tokens: Tokens, isPlain: boolean) {
  if (kind === "emoji") tokens.written.push(emojiWord(text));
  else if (kind === "hangul") {
    if (!isPlain) tokens.written.push(text);
    addAll(tokens.plain, gramsOf(text, 2));
  } else if (kind === "dense") addAll(tokens.written, gramsOf(text, 3));
  else if (kind === "han") {
    const folded = foldHan(text);
    if (!isPlain) addAll(tokens.written, gramsOf(text, 2));
    if (isPlain || folded !== text) addAll(tokens.plain, gramsOf(folded, 2));
  } else if (isPlain) addAll(tokens.plain, plainForms(text));
  else {
    const own = written(text);
    tokens.written.push(own);
    if (!isAscii(own))
      addAll(
        tokens.plain,
        plainForms(text).filter((form) => form !== own),
      );
  }
}

/** A text without spaces may have more tokens than a call can have arguments. */
function addAll(tokens: string[], more: string[]) {
  for (const token of more) tokens.push(token);
}

/** Minimum letters of a word that may match within a longer one, and minimum extra letters of that. */
const LEAST_INNER = 5;
export const LEAST_REST = 3;
/** FTS5 does not stem longer words, and searches within them are pointless. */
const LONGEST_WORD = 60;

/** Whether to search for longer words that contain this one. */
export const isInner = (word: string) => {
  const length = Array.from(word).length;
  return length >= LEAST_INNER && length <= LONGEST_WORD;
};

/** The plain words of a text, each once: for spelling. And those that may have another inside. */
export function vocabularyOf(text: string) {
  const words = new Set<string>();
  for (const found of wordsIn(text)) {
    if (isSimple(found[0])) words.add(found[0].toLowerCase());
    else for (const part of pieceOf(found).parts) addPlain(part, words);
  }
  const compounds = [...words].filter((word) => {
    const length = Array.from(word).length;
    return length >= LEAST_INNER + LEAST_REST && length <= LONGEST_WORD && !/\d/.test(word);
  });
  return { words: [...words], compounds };
}

function addPlain(part: Part, words: Set<string>) {
  for (const { kind, text } of runsOf(normalizeText(part.text))) {
    if (kind === "word") words.add(foldText(text));
  }
}
