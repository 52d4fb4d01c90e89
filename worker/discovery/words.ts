import { stemmer } from "stemmer";
import { foldHan } from "#worker/discovery/fold-han.ts";
import { foldText, isAscii, normalizeText } from "#worker/platform/text/fold.ts";
import {
  emojiWord,
  gramOf,
  isInner,
  joinedForm,
  pieceOf,
  plainForms,
  runsOf,
  signedWord,
  wordsIn,
  written,
  type Run,
} from "#worker/discovery/tokens.ts";

/** The rest of a longer query is ignored. */
const MAX_CHARACTERS = 200;

/** A typed query as one line of at most `MAX_CHARACTERS`. */
export const queryOf = (typed: string) =>
  typed.trim().replace(/\s+/g, " ").slice(0, MAX_CHARACTERS).toWellFormed();
const MAX_WORDS = 12;

/** Words that are ignored unless a query has no others. */
const COMMON = new Set(
  "a an and are as at be but by for from has have he her his i in is it its not of on or our she that the their they this to was we were what who will with you".split(
    " ",
  ),
);

/** The words of a query, each once, without punctuation: `o'brien`, `well-being`, `u.s.a`, `c++` and `成语接龙` are words. */
export function wordsOf(query: string): string[] {
  const typed: string[] = [];
  for (const { parts, joiner, sign } of wordsIn(query).map(pieceOf)) {
    if (joiner) typed.push(parts.map(({ text }) => normalizeText(text)).join(joiner));
    else
      typed.push(
        ...runsOf(normalizeText(parts[0]!.text)).map(
          ({ text }, at, all) => text + (at === all.length - 1 ? sign : ""),
        ),
      );
  }
  const words = [...new Set(typed)];
  const telling = words.filter((word) => !COMMON.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}

/** The parts of a word of a query: one, unless it is joined. */
export const partsOf = (word: string) => word.split(/[-'.]/).filter(Boolean);

/** Shorter prefixes match nearly everything. */
const MIN_PREFIX = 3;

// Words contain no quotation marks, so a quoted word is never FTS5 syntax.
const exactly = (...tokens: string[]) => `"${tokens.join(" ")}"`;
const beginning = (token: string) => `${exactly(token)}*`;

/** The last word may be a prefix. */
const isUnfinished = (words: string[], index: number) =>
  index === words.length - 1 && (words[index]?.length ?? 0) >= MIN_PREFIX;

/**
 * Matches words that begin with a word. FTS5 stems it, too: "lease" becomes "leas", a prefix of "least", and "pay"
 * becomes "pai", not a prefix of "payroll". Porter's stemmer drops an "e" from the end of a longer word
 * (https://tartarus.org/martin/PorterStemmer/def.txt, step 5a): "leasee" becomes "lease", and "paye" becomes "pay".
 */
const longer = (word: string) =>
  beginning([word, `${word}e`].find((form) => isAscii(form) && stemmer(form) === word) ?? word);

const anyOf = (forms: string[]) => {
  const each = [...new Set(forms)];
  return each.length === 1 ? each[0]! : `(${each.join(" OR ")})`;
};

/** The FTS5 terms for a form of a word. */
type Forms = (form: string) => string[];

/** Published words that contain a word of the query, by that word. */
export type Compounds = ReadonlyMap<string, string[]>;
export const noCompounds: Compounds = new Map();

/** The FTS5 expression of a word. `isPlain`: the index has plain forms alone. */
function wordMatch(word: string, forms: Forms, isPlain: boolean, compounds: Compounds): string {
  const parts = partsOf(word);
  if (parts.length > 1) {
    const joined = joinedForm(parts);
    const apart = word.includes("-")
      ? [`(${parts.map((part) => wordMatch(part, finished, isPlain, compounds)).join(" AND ")})`]
      : [...(isPlain ? [] : [exactly(...parts.map(written))]), exactly(...parts.map(foldText))];
    return anyOf([...apart, ...(joined === null ? [] : forms(joined))]);
  }
  const [, bare = word, sign] = /^(.+?)(\+\+|#)$/.exec(word) ?? [];
  if (sign) return exactly(signedWord(bare, sign));
  const all = runsOf(word).map((run) => runMatch(run, forms, isPlain, compounds));
  return all.length === 1 ? all[0]! : `(${all.join(" AND ")})`;
}

function runMatch({ kind, text }: Run, forms: Forms, isPlain: boolean, compounds: Compounds): string {
  if (kind === "emoji") return exactly(emojiWord(text));
  if (kind === "word") {
    const plain = plainForms(text);
    const spelt = isPlain ? plain : [...new Set([written(text), ...plain])];
    return anyOf([...spelt.flatMap(forms), ...(compounds.get(plain[0]!) ?? []).map((each) => exactly(each))]);
  }
  const grams = phraseOf(kind, text);
  if (kind === "han") {
    const folded = phraseOf(kind, foldHan(text));
    return isPlain ? folded : anyOf([grams, folded]);
  }
  return kind === "hangul" && !isPlain ? anyOf([exactly(text), grams]) : grams;
}

/** Japanese may omit the long vowel at the end of a longer loan word. */
const LONG_VOWEL = /(?<=[\p{sc=Kana}\p{sc=Hira}ー]{3})ー$/u;

/** The characters of a script without spaces, one after the other. */
function phraseOf(kind: Run["kind"], text: string) {
  const characters = Array.from(text.replace(LONG_VOWEL, ""));
  const length = gramOf(kind);
  if (characters.length < length) return beginning(characters.join(""));
  const grams = characters.slice(0, 1 - length || undefined);
  return exactly(...grams.map((_, at) => characters.slice(at, at + length).join("")));
}

/** A form, and each that begins with it. */
const unfinished: Forms = (form) => [longer(form), exactly(form)];
const finished: Forms = (form) => [exactly(form)];
const begun: Forms = (form) => [beginning(form)];

/**
 * The FTS5 expression that finds documents with all the words. With longer words, also documents with a word that
 * begins with the last word, or contains a word. Each form costs a pass over its matches.
 */
export const documentMatch = (words: string[], longerWords?: Compounds) =>
  words
    .map((word, index) =>
      wordMatch(word, formsOf(words, index, longerWords), false, longerWords ?? noCompounds),
    )
    .join(" AND ");

const formsOf = (words: string[], index: number, longerWords: Compounds | undefined) =>
  longerWords && isUnfinished(words, index) ? unfinished : finished;

/** Whether a longer word may begin with the last word. */
export const mayGoOn = (words: string[]) => isUnfinished(words, words.length - 1);

/** The FTS5 expression that finds rows of an unstemmed index of plain forms with a word that begins with each of the words. */
export const beginningMatch = (words: string[], compounds = noCompounds) =>
  words.map((word) => wordMatch(word, begun, true, compounds)).join(" AND ");

/**
 * As `documentMatch`, for passages of transcripts, of which there are many: each form costs a pass over its matches.
 * Some of the words may match speakers' names, but not all.
 */
export function passageMatch(words: string[], longerWords?: Compounds) {
  const forms = words.map((word, index) =>
    wordMatch(word, formsOf(words, index, longerWords), false, longerWords ?? noCompounds),
  );
  const isSaid = `{text text_plain} : (${forms.join(" OR ")})`;
  return words.length === 1 ? isSaid : [isSaid, ...forms].join(" AND ");
}

/** The plain forms of the words that may be inside of longer ones. */
export const innerWords = (words: string[]) => [
  ...new Set(
    words
      .flatMap(partsOf)
      .flatMap((word) => runsOf(word))
      .flatMap(({ kind, text }) => (kind === "word" ? [foldText(text)] : []))
      .filter(isInner),
  ),
];

/**
 * Substrings by which SQL finds each word of a query in a text with A to Z lowered: the best first, at last the common
 * prefix of its forms. Does not find other spellings.
 */
export const needlesOf = (words: string[], compounds = noCompounds) =>
  [...words.flatMap(partsOf), ...[...compounds.values()].flat()].flatMap((word) => {
    const stem = stemmer(word).replace(/(?<=.{2})[ei]$/, "");
    if (!isAscii(word)) return [[word], [word[0]!.toUpperCase() + word.slice(1)]];
    return word.startsWith(stem) ? [[word, ...ENDINGS.map((ending) => stem + ending), stem]] : [[word]];
  });

/** Endings of inflections: matches without one come last, as "least" for "lease". */
const ENDINGS = ["e", "s", "es", "ed", "ing"];
