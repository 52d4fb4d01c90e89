import { sql } from "drizzle-orm";
import { runsOf } from "#worker/discovery/tokens.ts";
import { partsOf } from "#worker/discovery/words.ts";
import type { Context } from "#worker/platform/context.ts";
import { foldText } from "#worker/platform/text/fold.ts";

/** Each word reads a range of the vocabulary. */
const MAX_CORRECTED = 5;

/** Maximum wrong letters in a word of this length. */
export const tolerance = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * Corrects words that found nothing to the nearest words of published texts; the last one may be completed. Returns
 * null when no correction is near. Assumes that the first letter is right.
 */
export async function correctWords({ db }: Context, typed: string[]): Promise<string[] | null> {
  const words = typed.flatMap(partsOf);
  const asked = words.map((word, index) => {
    const folded = foldText(word);
    const slack = tolerance(folded.length);
    const isLast = index === words.length - 1;
    return { folded, isLast, least: folded.length - slack, most: isLast ? 60 : folded.length + slack };
  });
  const tried = asked.filter(({ folded, isLast }) => isSpelt(folded, isLast)).slice(-MAX_CORRECTED);
  if (tried.length === 0) return null;
  const known = await db.all<Known>(sql`
    select distinct term, doc as documents
    from json_each(${JSON.stringify(tried)}) as asked cross join search_vocabulary
    where term >= substr(asked.value ->> 'folded', 1, 1)
      and term < char(unicode(asked.value ->> 'folded') + 1)
      and length(term) between asked.value ->> 'least' and asked.value ->> 'most'`);
  const corrected = asked.map(
    ({ folded, isLast }, index) =>
      (isSpelt(folded, isLast) && meantBy(folded, isLast, known)) || (words[index] ?? ""),
  );
  return corrected.some((word, index) => word !== words[index]) ? corrected : null;
}

type Known = { term: string; documents: number };

/** Scripts without spaces have no words to choose from. */
const isSpelt = (word: string, isLast: boolean) =>
  word.length >= (isLast ? 2 : 4) && runsOf(word).every(({ kind }) => kind === "word");

/** The nearest known word, the most frequent of equals. Null when the word itself is known, or none is near. */
function meantBy(word: string, isLast: boolean, known: Known[]) {
  let best: (Known & { distance: number }) | null = null;
  for (const candidate of known) {
    if (candidate.term === word) return null;
    const distance = isLast
      ? Math.min(distanceOf(word, candidate.term), distanceOf(word, candidate.term, true) + UNFINISHED)
      : distanceOf(word, candidate.term);
    if (Math.floor(distance) > tolerance(word.length)) continue;
    const isBetter =
      !best ||
      distance < best.distance ||
      (distance === best.distance && candidate.documents > best.documents);
    if (isBetter) best = { ...candidate, distance };
  }
  return best?.term ?? null;
}

/** Penalty of a prefix: a near whole word is likelier than the equally near beginning of another. */
const UNFINISHED = 0.5;

/**
 * The edit distance with swapped neighbours (optimal string alignment); with `isPrefix` to the nearest beginning of the
 * other word.
 */
export function distanceOf(word: string, other: string, isPrefix = false) {
  const a = [...word];
  const b = [...other];
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, otherLetter] of b.entries()) {
      const replaced = (above[j] ?? 0) + (letter === otherLetter ? 0 : 1);
      const swapped =
        letter === b[j - 1] && a[i - 1] === otherLetter ? (before[j - 1] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(replaced, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, swapped));
    }
    before = above;
    above = row;
  }
  return isPrefix ? Math.min(...above) : (above[b.length] ?? Infinity);
}
