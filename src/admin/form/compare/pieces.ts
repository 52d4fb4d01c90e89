import { diffWordsWithSpace } from "diff";

export type Piece = { kind: "same" | "removed" | "added"; text: string };

/** Milliseconds after which two texts that have little in common are shown as one removed and one added. */
const TIMEOUT = 1000;

/** The difference of two texts, word by word. */
export function piecesOf(before: string, after: string): Piece[] {
  const changes = diffWordsWithSpace(before, after, { timeout: TIMEOUT });
  if (!changes) {
    return [
      { kind: "removed" as const, text: before },
      { kind: "added" as const, text: after },
    ].filter(({ text }) => text !== "");
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

/** Characters of unchanged context around a change. */
const CONTEXT = 160;

export type Passage = Piece | { kind: "left-out"; words: number };

/** The same without the middle of long unchanged passages. */
export const withoutMiddles = (pieces: Piece[]): Passage[] =>
  pieces.flatMap((piece, index): Passage[] => {
    if (piece.kind !== "same" || piece.text.length <= 3 * CONTEXT) return [piece];
    const start = index === 0 ? "" : upToWord(piece.text.slice(0, CONTEXT));
    const end = index === pieces.length - 1 ? "" : fromWord(piece.text.slice(-CONTEXT));
    const middle = piece.text.slice(start.length, piece.text.length - end.length);
    const words = middle.match(/\S+/g)?.length ?? 0;
    const kept = (text: string): Passage[] => (text === "" ? [] : [{ kind: "same", text }]);
    return [...kept(start), { kind: "left-out", words }, ...kept(end)];
  });

/** A run of more than 40 characters stays broken: Chinese, Japanese and Thai have no spaces between words. */
const upToWord = (text: string) => text.replace(/\S{0,40}$/, "");
const fromWord = (text: string) => text.replace(/^\S{0,40}\s*/, "");
