import type { Cue } from "#worker/episodes/contract.ts";
import type { Passage } from "#worker/proposals/contract.ts";

/** Letters of the shortest quote that proves a passage. */
const SHORTEST = 6;
/** Characters of a passage that are stored; soundbites last up to two minutes. */
const LONGEST_TEXT = 800;

/** Cues with the number of the first in the transcript. */
export type Part = { from: number; cues: Cue[] };

/** As a quote is compared: letters and digits alone, without case. */
const bare = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, "");

/** Finds quotes in a part of a transcript. A passage has the times and the text of its cues, never a model's. */
export function passagesIn({ from, cues }: Part) {
  const starts: number[] = [];
  let all = "";
  for (const { text } of cues) {
    starts.push(all.length);
    all += bare(text);
  }
  const cueAt = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    /** The positions of the first and last cue of a quote, the nearest to this line if there are several; null if there is none. */
    find(quote: string, line: number): [first: number, last: number] | null {
      const sought = bare(quote);
      if (sought.length < SHORTEST) return null;
      let best: [number, number] | null = null;
      for (let at = all.indexOf(sought); at !== -1; at = all.indexOf(sought, at + 1)) {
        const found: [number, number] = [cueAt(at), cueAt(at + sought.length - 1)];
        const isNearer = !best || Math.abs(found[0] + from - line) < Math.abs(best[0] + from - line);
        if (isNearer) best = found;
      }
      return best;
    },

    passage(first: number, last: number): Passage {
      const text = cues
        .slice(first, last + 1)
        .map((cue) => cue.text)
        .join(" ")
        .replace(/\s+/g, " ");
      const isLong = text.length > LONGEST_TEXT;
      return {
        start: cues[first]!.start,
        end: cues[last]!.end,
        text: isLong ? `${text.slice(0, LONGEST_TEXT)}…` : text,
      };
    },
  };
}
