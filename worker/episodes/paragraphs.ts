type Spoken = { start: number; speaker: string; text: string };

export type Paragraph = { start: number; speaker: string; text: string };

/** Characters after which a paragraph ends with its sentence. */
const LONG = 420;

/** Joins a speaker's captions, which are cut to fit a screen, into paragraphs. */
export function paragraphsOf(cues: Spoken[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const { start, speaker, text } of cues) {
    const last = paragraphs.at(-1);
    if (last && last.speaker === speaker && !isFull(last.text)) last.text += ` ${text}`;
    else paragraphs.push({ start, speaker, text });
  }
  return paragraphs;
}

const isFull = (text: string) => text.length > LONG && /[.?!…]["”’]?$/.test(text);
