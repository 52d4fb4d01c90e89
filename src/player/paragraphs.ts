import type { Cue } from "#worker/episodes/contract.ts";

export type Paragraph = { start: number; speaker: string; text: string };

/** Characters after which a speaker's turn is broken at the end of a sentence. */
const LONG = 420;

/** Captions are cut to fit a screen; for reading, one speaker's are joined again. */
export function paragraphsOf(cues: Cue[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const { start, speaker, text } of cues) {
    const last = paragraphs.at(-1);
    if (last && last.speaker === speaker && !isFull(last.text)) last.text += ` ${text}`;
    else paragraphs.push({ start, speaker, text });
  }
  return paragraphs;
}

const isFull = (text: string) => text.length > LONG && /[.?!…]["”’]?$/.test(text);
