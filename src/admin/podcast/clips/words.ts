import type { EditableCue } from "../transcript-cues.ts";

/** Times in seconds of the recording. */
export type TimedWord = {
  text: string;
  start: number;
  end: number;
  /** Whether a space is before it. */
  isSpaced: boolean;
};

/** The words that a caption shows together. */
export type Caption = { start: number; end: number; speaker: string; words: TimedWord[] };

/** Characters of a caption. */
const MOST = 72;

/** The captions of a transcript's cues: long cues are several. */
export function captionsOf(cues: EditableCue[]): Caption[] {
  return cues.flatMap((cue) => {
    const { speaker, words } = readCue(cue);
    const captions: Caption[] = [];
    let length = 0;
    for (const word of words) {
      const last = captions.at(-1);
      length += word.text.length + 1;
      if (last && length <= MOST) {
        last.words.push(word);
        last.end = word.end;
        continue;
      }
      captions.push({ start: word.start, end: word.end, speaker, words: [word] });
      length = word.text.length;
    }
    return captions;
  });
}

/** Words with the times that are in the cue; the others share the time between two of these by their lengths. */
function readCue(cue: EditableCue): { speaker: string; words: TimedWord[] } {
  const parts = cue.speaker === null ? partsOf(cue) : [{ start: cue.start, text: cue.text }];
  const words = parts.flatMap(({ start, text }, at) => {
    const end = Math.max(start, parts[at + 1]?.start ?? cue.end);
    const spoken = wordsIn(text);
    const total = spoken.reduce((sum, word) => sum + word.text.length, 0);
    let before = 0;
    return spoken.map((word) => {
      const from = start + ((end - start) * before) / total;
      before += word.text.length;
      return { ...word, start: from, end: start + ((end - start) * before) / total };
    });
  });
  return { speaker: cue.speaker ?? /<v(?:\.[^\s>]*)?\s+([^>]+)>/.exec(cue.text)?.[1] ?? "", words };
}

const STAMP = /^<(?:(\d+):)?(\d\d):(\d\d\.\d{3})>$/;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", lrm: "", rlm: "" };

/** The texts between the times inside a cue. */
function partsOf({ start, end, text }: EditableCue) {
  const parts = [{ start, text: "" }];
  for (const piece of text.split(/(<[^>]*>)/)) {
    const [, hours = "0", minutes, seconds] = STAMP.exec(piece) ?? [];
    if (minutes !== undefined && seconds !== undefined) {
      const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
      parts.push({ start: Math.min(end, Math.max(parts.at(-1)!.start, at)), text: "" });
    } else if (!piece.startsWith("<")) {
      parts.at(-1)!.text += piece.replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
    }
  }
  return parts.filter((part) => part.text.trim() !== "");
}

/** Scripts that write words without spaces. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function wordsIn(text: string) {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((part) => (UNSPACED.test(part) ? segmentsOf(part) : [{ text: part, isSpaced: true }]));
}

/** Punctuation belongs to the word before it. */
function segmentsOf(part: string) {
  const words: { text: string; isSpaced: boolean }[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter("und", { granularity: "word" }).segment(part)) {
    const last = words.at(-1);
    if (last && !isWordLike) last.text += segment;
    else words.push({ text: segment, isSpaced: words.length === 0 });
  }
  return words;
}
