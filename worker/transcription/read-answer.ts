import { z } from "zod";
import { ModelError } from "#worker/models/model-error.ts";
import { unreadable } from "#worker/models/read-json.ts";
import { bareWord, type Heard, type Word } from "#worker/transcription/words.ts";

/** What models answer, read into words with times. */

const time = z.number().finite();
const TimedWord = z.object({
  word: z.string(),
  start: time,
  end: time,
  /** Deepgram's. */
  punctuated_word: z.string().optional(),
  speaker: z.int().nonnegative().optional(),
});
type TimedWord = z.infer<typeof TimedWord>;

const Segment = z.object({
  text: z.string(),
  start: time,
  end: time,
  words: z.array(TimedWord).nullish(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
  compression_ratio: z.number().nullish(),
});
type Segment = z.infer<typeof Segment>;

/** Whisper's, as OpenAI's API, Workers AI, whisper.cpp and faster-whisper answer; they differ in where the words are. */
const WhisperAnswer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  transcription_info: z.object({ language: z.string().nullish() }).nullish(),
  words: z.array(TimedWord).nullish(),
  segments: z.array(Segment).nullish(),
});

const DeepgramAnswer = z.object({
  results: z.object({
    channels: z
      .array(
        z.object({
          detected_language: z.string().nullish(),
          alternatives: z.array(z.object({ words: z.array(TimedWord) })).min(1),
        }),
      )
      .min(1),
  }),
});

/** Whisper's own limits, behind which it takes a segment for silence or for a repetition without sense. */
const NO_SPEECH = 0.6;
const LEAST_LOGPROB = -1;
const MOST_COMPRESSION = 2.4;

/** Seconds that a word may begin behind the end of its piece: models round. */
const ROUNDING = 1;

/** @throws ModelError */
export function readWhisper(answer: unknown): Heard {
  const parsed = WhisperAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable("something that is not a transcript");
  const { text, words, segments, language, transcription_info: info } = parsed.data;
  const spoken = (segments ?? []).filter(isSpeech);
  const isUnspoken = (segments ?? []).length > 0 && spoken.length === 0;
  const named = languageOf(language ?? info?.language);
  if (isUnspoken || text.trim() === "") return { words: [], language: named };
  const ofSegments = spoken.flatMap(wordsOf);
  const found = words && words.length > 0 ? withPunctuation(words, text) : ofSegments;
  if (found.length === 0)
    throw new ModelError("settings", "The model’s answer has no times. Choose a model that states them.");
  return { words: checked(found), language: named };
}

/** @throws ModelError */
export function readDeepgram(answer: unknown): Heard {
  const parsed = DeepgramAnswer.safeParse(answer);
  if (!parsed.success) throw unreadable("something that is not a transcript");
  const [channel] = parsed.data.results.channels;
  const words = channel!.alternatives[0]!.words.map(({ word, punctuated_word, start, end, speaker }) => ({
    text: (punctuated_word ?? word).trim(),
    start,
    end,
    ...(speaker !== undefined && { voice: speaker }),
  }));
  return { words: checked(words), language: languageOf(channel!.detected_language) };
}

/** Characters of a language's name; the longest in English has 30. */
const LONGEST_NAME = 60;
const languageOf = (name: string | null | undefined) =>
  name ? inOneLine(name).slice(0, LONGEST_NAME) : null;

const isSpeech = ({ no_speech_prob: silence, avg_logprob: sure, compression_ratio: ratio }: Segment) =>
  !((silence ?? 0) > NO_SPEECH && (sure ?? 0) < LEAST_LOGPROB) && (ratio ?? 0) <= MOST_COMPRESSION;

/** A segment’s words; without their times, they share the segment’s by their lengths. */
function wordsOf({ words, text, start, end }: Segment): Word[] {
  if (words && words.length > 0) return joinTokens(words);
  const parts = text.trim().split(/\s+/).filter(Boolean);
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  let before = 0;
  return parts.map((part) => {
    const at = (length: number) => start + ((end - start) * length) / total;
    const word = { text: part, start: at(before), end: at(before + part.length) };
    before += part.length;
    return word;
  });
}

/** whisper.cpp lists tokens, of which a word has several: the first begins with a space. */
function joinTokens(tokens: TimedWord[]): Word[] {
  const areTokens = tokens.some(({ word }) => word.startsWith(" "));
  const words: Word[] = [];
  for (const { word, start, end } of tokens) {
    const last = words.at(-1);
    if (areTokens && last && !word.startsWith(" ")) {
      last.text += word.trimEnd();
      last.end = end;
    } else words.push({ text: word.trim(), start, end });
  }
  return words;
}

/** Characters behind the last word in which the next one is sought in the text. */
const NEAR = 40;

/** OpenAI’s words lack the punctuation of the text. */
function withPunctuation(tokens: TimedWord[], text: string): Word[] {
  let from = 0;
  return joinTokens(tokens).map((word) => {
    // Not in the whole rest of it: 40,000 words that a text lacks took 8 s.
    const near = text.slice(from, from + NEAR + word.text.length).indexOf(word.text);
    const at = from + near;
    if (near === -1 || /[^\p{L}\p{N}]$/u.test(word.text)) return word;
    const end = at + word.text.length;
    const [after = ""] = /^[^\p{L}\p{N}\s]*(?=\s|$)/u.exec(text.slice(end, end + 8)) ?? [];
    const [before = ""] = /(?<=\s|^)[^\p{L}\p{N}\s]*$/u.exec(text.slice(from, at)) ?? [];
    from = end + after.length;
    return { ...word, text: before + word.text + after };
  });
}

/** What ends a line or a cue, is invisible, or turns a text around. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
const inOneLine = (text: string) => text.replace(CONTROLS, " ").trim();

/** Of a piece of some minutes: ten times what anyone says. */
const MOST_WORDS = 10_000;
const MOST_CHARACTERS = 200_000;

/** @throws ModelError if the times make no sense, or there are too many words */
function checked(words: Word[]) {
  const shown = words
    .filter(({ text }) => bareWord(text) !== "")
    .map((word) => ({ ...word, text: inOneLine(word.text) }));
  const length = shown.reduce((sum, { text }) => sum + text.length, 0);
  if (shown.length > MOST_WORDS || length > MOST_CHARACTERS)
    throw unreadable("more words than anyone speaks");
  const isOrdered = shown.every(
    ({ start, end }, index) =>
      start >= 0 && end >= start && start >= (shown[index - 1]?.start ?? 0) - ROUNDING,
  );
  if (!isOrdered) throw unreadable("words whose times make no sense");
  return shown.toSorted((a, b) => a.start - b.start);
}

/** @throws ModelError if words are behind the end of their piece */
export function requireWithin(words: Word[], seconds: number) {
  if (words.some(({ start }) => start > seconds + ROUNDING))
    throw unreadable("words whose times make no sense");
}
