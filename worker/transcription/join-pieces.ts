import { bareWord, type Word } from "#worker/transcription/words.ts";

/** Joins what a model heard in pieces that overlap. */

/** A piece with its words, which have the recording's times; null if it was given up. */
export type HeardPiece = { start: number; end: number; words: Word[] | null };

/** Seconds between the times of one word in two pieces. */
const SAME_WITHIN = 0.4;
/** Seconds between two pieces that are no gap: a decoder may drop as many. */
const LEAST_MISSING = 0.5;
/** Seconds at the edges of a piece within which a word may be cut. */
const EDGE = 0.5;

/**
 * The words of all pieces, each once. In an overlap, the words before the seam are taken from the earlier piece, and those after
 * it from the later one. The seam is never within a word of either: it is at a word that both heard, else in the longest pause.
 * `missing`: the seconds that no piece covers.
 */
export function joinPieces(pieces: HeardPiece[]) {
  const heard = pieces.filter((piece) => piece.words !== null).toSorted((a, b) => a.start - b.start);
  const words: Word[] = [];
  const missing: [start: number, end: number][] = [];
  let covered = Math.max(0, Math.min(...pieces.map(({ start }) => start)));
  const miss = (from: number, to: number) => to - from > LEAST_MISSING && missing.push([from, to]);
  for (const { start, end, words: found } of heard) {
    if (words.length === 0 || start >= covered) words.push(...renumbered(words, found!));
    else append(words, renumbered(words, found!), { from: start, to: covered });
    miss(covered, start);
    covered = Math.max(covered, end);
  }
  miss(covered, Math.max(...pieces.map(({ end }) => end)));
  return { words, missing };
}

type Overlap = { from: number; to: number };

function append(words: Word[], later: Word[], overlap: Overlap) {
  const seam = seamOf(words, later, overlap);
  while ((words.at(-1)?.start ?? -1) >= seam) words.pop();
  words.push(...later.filter(({ start }) => start >= seam));
}

/** Seconds: words that start before it are of the earlier piece. */
function seamOf(earlier: Word[], later: Word[], { from, to }: Overlap) {
  const middle = (from + to) / 2;
  const within = ({ start, end }: Word) => end > from && start < to;
  const [before, after] = [earlier.filter(within), later.filter(within)];
  const whole = ({ start, end }: Word) => start >= from + EDGE && end <= to - EDGE;
  const pairs = samePairs(before, after).filter(([one, other]) => whole(one) && whole(other));
  const [pair] = pairs.toSorted(
    ([one], [other]) => Math.abs(one.start - middle) - Math.abs(other.start - middle),
  );
  // A little earlier than both, so that the word is the later piece's.
  if (pair) return Math.min(pair[0].start, pair[1].start) - 0.001;
  return pauseIn([...before, ...after], { from, to });
}

/** Words that both heard at the same time, in order. */
function samePairs(before: Word[], after: Word[]) {
  const pairs: [Word, Word][] = [];
  let from = 0;
  for (const word of before) {
    const bare = bareWord(word.text);
    const at = after.findIndex(
      (other, index) =>
        index >= from && Math.abs(other.start - word.start) <= SAME_WITHIN && bareWord(other.text) === bare,
    );
    if (at === -1 || bare === "") continue;
    pairs.push([word, after[at]!]);
    from = at + 1;
  }
  return pairs;
}

/** The middle of the longest time without a word; without words, of all. */
function pauseIn(words: Word[], { from, to }: Overlap) {
  let [best, length, end] = [(from + to) / 2, -1, from];
  for (const word of [...words.toSorted((a, b) => a.start - b.start), { start: to, end: to }]) {
    const start = Math.min(word.start, to);
    if (start - end > length) [best, length] = [(start + end) / 2, start - end];
    end = Math.max(end, word.end);
  }
  return best;
}

/**
 * Each piece numbers its voices from 0. In the overlap, a voice is the earlier piece's that says the same words; others get new
 * numbers.
 */
function renumbered(earlier: Word[], later: Word[]) {
  if (later.every(({ voice }) => voice === undefined)) return later;
  const start = later[0]?.start ?? 0;
  const votes = new Map<number, Map<number, number>>();
  for (const [one, other] of samePairs(
    earlier.filter(({ end }) => end > start),
    later,
  )) {
    if (one.voice === undefined || other.voice === undefined) continue;
    const counts = votes.get(other.voice) ?? new Map<number, number>();
    votes.set(other.voice, counts.set(one.voice, (counts.get(one.voice) ?? 0) + 1));
  }
  let next = earlier.reduce((most, { voice = -1 }) => Math.max(most, voice), -1) + 1;
  const known = new Map<number, number>();
  return later.map((word) => {
    if (word.voice === undefined) return word;
    if (!known.has(word.voice)) {
      const [best] = [...(votes.get(word.voice) ?? [])].toSorted(([, a], [, b]) => b - a);
      known.set(word.voice, best ? best[0] : next++);
    }
    return { ...word, voice: known.get(word.voice)! };
  });
}
