import { clock } from "#worker/episodes/transcript-input/repair.ts";
import type { Word } from "#worker/transcription/words.ts";

/** Two lines of captions, and the time that one is shown. */
const MOST_CHARACTERS = 84;
const MOST_SECONDS = 7;
/** Characters behind which a sentence ends a cue. */
const ENOUGH = 30;
/** Seconds without a word. */
const PAUSE = 1.2;
const ENDS_SENTENCE = /[.!?。！？…]["'”’)\]]?$/u;

/** WebVTT of words: a cue ends with a sentence, at a pause, and where another voice begins. */
export function writeCues(words: Word[]) {
  const cues: Word[][] = [];
  for (const word of words) {
    const cue = cues.at(-1);
    if (cue && fits(cue, word)) cue.push(word);
    else cues.push([word]);
  }
  const blocks = cues.map((cue, index) => {
    // Two cues never overlap, even if the model's words do.
    const end = Math.min(cue.at(-1)!.end, cues[index + 1]?.[0]!.start ?? Infinity);
    const start = cue[0]!.start;
    const voice = cue[0]!.voice;
    const text = escaped(textOf(cue));
    const spoken = voice === undefined ? text : `<v ${voiceName(voice)}>${text}</v>`;
    return `${clock(start)} --> ${clock(Math.max(end, start + 0.001))}\n${spoken}`;
  });
  return blocks.length === 0 ? "" : `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

/** A voice until the owner names it. */
export const voiceName = (voice: number) => `Speaker ${voice + 1}`;

function fits(cue: Word[], word: Word) {
  const [first, last] = [cue[0]!, cue.at(-1)!];
  const text = textOf(cue);
  if (word.voice !== first.voice || word.start - last.end > PAUSE) return false;
  if (word.end - first.start > MOST_SECONDS || text.length + 1 + word.text.length > MOST_CHARACTERS)
    return false;
  return !(text.length >= ENOUGH && ENDS_SENTENCE.test(text));
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？]/u;

const textOf = (words: Word[]) =>
  words.reduce((text, word) => {
    const isJoined = UNSPACED.test(text.at(-1) ?? "") && UNSPACED.test(word.text[0] ?? "");
    return text === "" || isJoined ? text + word.text : `${text} ${word.text}`;
  }, "");

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
