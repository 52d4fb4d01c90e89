import { tokenizeVTTCue, VTTCue, type VTTNode } from "media-captions";
import type { Cue } from "#worker/episodes/contract.ts";
import { inputFormats, type InputFormat } from "#worker/episodes/transcript-input/formats.ts";
import { namesIn, withVoices } from "#worker/episodes/transcript-input/offered-voices.ts";
import { clock, repairTimes, type Timed } from "#worker/episodes/transcript-input/repair.ts";
import { withoutRepeatedLines } from "#worker/episodes/transcript-input/rolling.ts";
import { withoutTooManyTags } from "#worker/episodes/transcript-input/texts.ts";
import { AppError } from "#worker/platform/errors.ts";

type Transcript = {
  /** As stored: WebVTT, or plain text if there are no times. Empty for none. */
  transcript: string;
  /** One voice each, in the order in which they are spoken; empty for plain text. */
  cues: Cue[];
};

type ReadTranscript = Transcript & {
  /** The name of the source's format. */
  format: string;
  /** Sentences about what was changed so that it can be read. */
  notes: string[];
  /** Names at the beginnings of cues, which may be voices. */
  names: string[];
  /** Whether cues that start at or after `end` are left out. */
  isCut: boolean;
};

type Options = {
  /** Seconds; cues that start at or after it are left out. */
  end?: number;
  /** Seconds: a guessed format counts only if all its times are below; otherwise the text stays plain. 0: always plain. */
  guessedWithin?: number;
  /** Those of `names` that become voices. */
  voices?: string[];
  /** Leaves out unreadable parts with a note, as long as some part can be read. */
  isLenient?: boolean;
};

/**
 * Reads an uploaded or pasted transcript, and detects its format from the text.
 * @throws `invalid`, with the line, for one of a known format that cannot be read
 */
export function readTranscript(source: string, options: Options = {}): ReadTranscript {
  const { end = Infinity, guessedWithin = Infinity, voices = [] } = options;
  // Removes control characters, which no format uses.
  const text = source
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[\v\f\u0085]/g, " ")
    .replace(/[^\P{Cc}\t\n]/gu, "");
  const beginning = text.trimStart();
  const format = inputFormats.find(({ fits }) => fits(beginning));
  const nothing = { cues: [], notes: [], names: [], isCut: false };
  const asPlain = () => ({ ...nothing, format: "plain text", transcript: plainOf(text) });
  if (!format) return asPlain();
  const { timed: all, notes } = readTimed(text, format, options);
  if (format.isGuess && all.some(({ start }) => start >= guessedWithin)) return asPlain();
  const timed = all.filter(({ start }) => start < end);
  const isCut = timed.length < all.length;
  if (timed.length === 0 && isCut) return { ...nothing, format: format.name, transcript: "", isCut };
  const names = namesIn(timed);
  const voiced = withVoicesOf(timed, names, voices);
  const cues = voiced.flatMap(cuesOf);
  if (cues.length === 0) {
    throw invalid(`This transcript has no line with both a time and words. ${whatToDo(format)}`);
  }
  return { transcript: writeWebVtt(voiced), cues, format: format.name, notes, names, isCut };
}

function withVoicesOf(timed: Timed[], names: string[], voices: string[]) {
  const chosen = names.filter((name) => voices.includes(name));
  return chosen.length > 0 ? withVoices(timed, chosen) : timed;
}

function readTimed(text: string, format: InputFormat, { isLenient = false }: Options) {
  if ("refusal" in format) throw invalid(format.refusal);
  // Lines are counted from the start of the file, including empty ones.
  const above = text.length - text.trimStart().length;
  const beginning = text.slice(above);
  const rolling = withoutRepeatedLines(format.read(beginning).map(withoutTooManyTags));
  const { timed, problems: unread, backwards, notes } = repairTimes(rolling.entries);
  const all = [...(format.notesOn?.(beginning) ?? []), ...rolling.notes, ...notes];
  const problems = isLenient ? unread : [...unread, ...backwards].toSorted((a, b) => a.line - b.line);
  const [first, ...others] = problems;
  if (!first) return { timed, notes: all };
  const count = problems.length === 1 ? "1 place" : `${problems.length.toLocaleString("en")} places`;
  if (isLenient && timed.length > 0) {
    return {
      timed,
      notes: [...all, `${count} can’t be read, and ${others.length === 0 ? "is" : "are"} left out.`],
    };
  }
  const line = first.line + text.slice(0, above).split("\n").length - 1;
  const more =
    others.length === 1
      ? " 1 more place can’t be read either."
      : others.length > 1
        ? ` ${others.length.toLocaleString("en")} more places can’t be read either.`
        : "";
  throw invalid(`Line ${line}: ${first.problem}${more} ${whatToDo(format)}`);
}

const whatToDo = ({ name }: InputFormat) =>
  `It was read as ${name}. Correct it there, or export it as SRT or WebVTT, and try again.`;

const plainOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

function writeWebVtt(timed: Timed[]) {
  const blocks = timed.map(({ start, end, text }) => `${clock(start)} --> ${clock(end)}\n${text}`);
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

const cuesOf = ({ start, end, text }: Timed): Cue[] => {
  const [, speaker = "", plain] = SIMPLE.exec(text) ?? [];
  const spoken =
    plain === undefined
      ? spokenIn(tokenizeVTTCue(new VTTCue(start, end, text)))
      : withWords([{ speaker, text: plain }]);
  return spoken.map((voice) => ({ start, end, ...voice }));
};

/** Nearly every cue: at most one voice, around all words. The tokenizer appends each character to a string of its own. */
const SIMPLE = /^(?:<v ([^\s<>&]+(?: [^\s<>&]+)*)>)?([^<&]*)(?:<\/v>)?$/;

/** A cue may change voice in its middle, also within an unclosed voice tag; text outside a voice tag has no speaker. */
function spokenIn(nodes: VTTNode[]) {
  const lines: { speaker: string; text: string }[] = [];
  const add = (node: VTTNode, around: string) => {
    const speaker = ("voice" in node && node.voice) || around;
    if (node.type !== "text") return node.children.forEach((child) => add(child, speaker));
    const last = lines.at(-1);
    if (last?.speaker === speaker) last.text += node.data;
    else lines.push({ speaker, text: node.data });
  };
  for (const node of nodes) add(node, "");
  return withWords(lines);
}

const withWords = (lines: { speaker: string; text: string }[]) =>
  lines
    .map(({ speaker, text }) => ({ speaker, text: text.replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");

const invalid = (message: string) => new AppError("invalid", message, { field: "transcript" });
