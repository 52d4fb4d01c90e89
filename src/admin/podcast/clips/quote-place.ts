import { paragraphsOf } from "#worker/episodes/paragraphs.ts";
import type { QuotePlace } from "#worker/sharing/quote-address.ts";
import type { EditableCue } from "../transcript-cues.ts";
import { captionsOf } from "./words.ts";

/** Where lines of a transcript are in its paragraphs, as the page shows them; null if they are of several. */
export function placeOfLines(cues: EditableCue[], first: number, last: number): QuotePlace | null {
  const [start, end] = [placeOf(cues, first), placeOf(cues, last)];
  if (!start || !end || start.paragraph !== end.paragraph) return null;
  return { paragraph: start.paragraph, from: start.from, to: end.to };
}

/** A line that has only marks is not in the page. */
function placeOf(cues: EditableCue[], at: number): QuotePlace | null {
  const spoken = cues.slice(0, at + 1).map(spokenOf);
  const paragraphs = paragraphsOf(spoken.filter(({ text }) => text !== ""));
  const length = paragraphs.at(-1)?.text.length ?? 0;
  const own = spoken.at(-1)!.text.length;
  return own === 0 ? null : { paragraph: paragraphs.length - 1, from: length - own, to: length };
}

function spokenOf(cue: EditableCue) {
  const { start, speaker, text } = cue;
  if (speaker !== null) return { start, speaker, text: text.replace(/\s+/g, " ").trim() };
  const captions = captionsOf([cue]);
  const words = captions.flatMap((caption) => caption.words);
  return {
    start,
    speaker: captions[0]?.speaker ?? "",
    text: words
      .map(({ text: word, isSpaced }, index) => (isSpaced && index > 0 ? ` ${word}` : word))
      .join(""),
  };
}
