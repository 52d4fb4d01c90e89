type Spoken = { start: number; speaker: string; text: string };

export type Paragraph = { start: number; speaker: string; text: string };

/** Characters after which a paragraph ends with its sentence. */
const LONG = 420;

/** Joins a speaker's captions, which are cut to fit a screen, into paragraphs. */
export function paragraphsOf(cues: Spoken[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let isEnded = false;
  for (const { start, speaker, text } of cues) {
    const last = paragraphs.at(-1);
    if (last && last.speaker === speaker && !(isEnded && last.text.length > LONG)) last.text += ` ${text}`;
    else paragraphs.push({ start, speaker, text });
    // Of the cue: the end of a paragraph without sentences would be looked for in all of it.
    isEnded = /[.?!…]["”’]?$/.test(text);
  }
  return paragraphs;
}
