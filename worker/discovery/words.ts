/** The rest of a longer query is ignored. */
const MAX_CHARACTERS = 200;

/** A typed query as one line of at most `MAX_CHARACTERS`. */
export const queryOf = (typed: string) =>
  typed.trim().replace(/\s+/g, " ").slice(0, MAX_CHARACTERS).toWellFormed();
const MAX_WORDS = 12;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

/** Words that are ignored unless a query has no others. */
const COMMON = new Set(
  "a an and are as at be but by for from has have he her his i in is it its not of on or our she that the their they this to was we were what who will with you".split(
    " ",
  ),
);

/** The words of a query, each once, without punctuation. */
export function wordsOf(query: string): string[] {
  const typed = query.normalize("NFC").toLowerCase().match(WORD) ?? [];
  const words = [...new Set(typed)];
  const telling = words.filter((word) => !COMMON.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}

/** Shorter prefixes match nearly everything. */
const MIN_PREFIX = 3;

// Words contain no quotation marks, so a quoted word is never FTS5 syntax.
const exactly = (word: string) => `"${word}"`;

/** The last word may be a prefix. */
const isUnfinished = (words: string[], index: number) =>
  index === words.length - 1 && (words[index]?.length ?? 0) >= MIN_PREFIX;

/**
 * The forms of a word that may go on. Porter's stemmer takes "pay" for "pai", which "payroll" does not begin with; "paye"
 * it takes for "pay" (https://tartarus.org/martin/PorterStemmer/def.txt, steps 1c and 5a).
 */
const beginnings = (word: string) =>
  (word.endsWith("y") ? [word, `${word}e`] : [word]).map((form) => `${exactly(form)}*`);

/**
 * The FTS5 expression that finds documents with all the words. One that may go on counts once more where it does not.
 * Each form costs a pass over all that have it.
 */
export const documentMatch = (words: string[]) =>
  words
    .map((word, index) =>
      isUnfinished(words, index) ? `(${[...beginnings(word), exactly(word)].join(" OR ")})` : exactly(word),
    )
    .join(" AND ");

/** The FTS5 expression that finds rows of an unstemmed index with a word that begins with each of the words. */
export const beginningMatch = (words: string[]) => words.map((word) => `${exactly(word)}*`).join(" AND ");

/**
 * As `documentMatch`, for passages of transcripts, of which there are many: each form costs a pass over all that have it. The
 * speakers' names may be among the words, but not be all of them.
 */
export function passageMatch(words: string[]) {
  const forms = words.map((word, index) =>
    isUnfinished(words, index) ? `(${beginnings(word).join(" OR ")})` : exactly(word),
  );
  const isSaid = `text : (${forms.join(" OR ")})`;
  return words.length === 1 ? isSaid : [isSaid, ...forms].join(" AND ");
}
