import type { Options, Query } from "minisearch";
import { stemmer } from "stemmer";
import { foldHan } from "#worker/discovery/fold-han.ts";
import {
  emojiWord,
  gramOf,
  joinedForm,
  plainForms,
  runsOf,
  signedWord,
  tokensOf,
  type Run,
} from "#worker/discovery/tokens.ts";
import { partsOf, wordsOf } from "#worker/discovery/words.ts";
import { foldText, isAscii } from "#worker/platform/text/fold.ts";

/** What a result shows. */
export type Found = { path: string; title: string; summary: string; kind: string; date: string };

/** A stem is a term of its own, so that no unfinished word finds it: "lease" finds "leasing", but not "least". */
const STEM = "~";
const stemOf = (word: string) => (isAscii(word) ? [STEM + stemmer(word)] : []);

/** Words as the site's own search splits them (worker/discovery/tokens.ts), for the index and its reader. */
export const searchOptions: Options = {
  idField: "path",
  fields: ["title", "summary", "text"],
  storeFields: ["path", "title", "summary", "kind", "date"],
  tokenize: (text) => {
    const { plain, written } = tokensOf(text, true);
    return [...plain, ...written];
  },
  processTerm: (word) => [word, ...stemOf(word)],
};

const exactly = (term: string): Query => ({
  queries: [term],
  tokenize: whole,
  processTerm: same,
  fuzzy: false,
  prefix: false,
});
const beginning = (term: string): Query => ({ ...(exactly(term) as object), queries: [term], prefix: true });
const whole = (text: string) => [text];
const same = (term: string) => term;

const all = (queries: Query[]): Query => ({ combineWith: "AND", queries });
const any = (queries: Query[]): Query => ({ combineWith: "OR", queries });

/** The query for a typed text; null if it has no words. The last word may be incomplete. */
export function queryFor(typed: string): Query | null {
  const words = wordsOf(typed);
  if (words.length === 0) return null;
  return all(words.map((word, index) => wordQuery(word, index === words.length - 1)));
}

/** Letters. Shorter beginnings match nearly everything. */
const LEAST_BEGINNING = 3;

function wordQuery(word: string, isLast: boolean): Query {
  const parts = partsOf(word);
  if (parts.length > 1) {
    const joined = joinedForm(parts);
    const apart = all(parts.map((part) => wordQuery(part, false)));
    return joined === null ? apart : any([apart, exactly(joined)]);
  }
  const [, bare = word, sign] = /^(.+?)(\+\+|#)$/.exec(word) ?? [];
  if (sign) return exactly(signedWord(bare, sign));
  return all(runsOf(word).map((run) => runQuery(run, isLast)));
}

function runQuery({ kind, text }: Run, isLast: boolean): Query {
  if (kind === "emoji") return exactly(emojiWord(text));
  if (kind === "word") {
    const mayGoOn = isLast && text.length >= LEAST_BEGINNING;
    return any(
      plainForms(text).flatMap((form) => [
        mayGoOn ? beginning(form) : exactly(form),
        ...stemOf(form).map(exactly),
      ]),
    );
  }
  const characters = Array.from(kind === "han" ? foldHan(text) : foldText(text));
  const length = gramOf(kind);
  if (characters.length < length) return beginning(characters.join(""));
  const grams = characters.slice(0, 1 - length || undefined);
  return all(grams.map((_, at) => exactly(characters.slice(at, at + length).join(""))));
}
