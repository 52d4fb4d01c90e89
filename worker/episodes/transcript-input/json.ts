import { parseTree, findNodeAtLocation, type ParseError } from "jsonc-parser";
import { listIn, type Fields, type Piece } from "#worker/episodes/transcript-input/json-lists.ts";
import { secondsOf, toMs } from "#worker/episodes/transcript-input/times.ts";
import {
  cueText,
  isProblem,
  withoutTooManyTags,
  type Problem,
  type TimedText,
} from "#worker/episodes/transcript-input/texts.ts";

/** A transcript in JSON, whose word-level segments become sentences. */
export function readJson(source: string): (TimedText | Problem)[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    return [
      {
        line: lineOfError(source),
        problem: "the JSON is broken here. A text that begins with “{” is read as JSON.",
      },
    ];
  }
  const list = listIn(parsed);
  if (!list) return [{ line: 1, problem: NO_LIST }];
  const read = list.items.flatMap((item, at) =>
    segmentsOf(item, at, (fields) => list.read(fields, parsed as Fields)),
  );
  const names = namesOf(parsed);
  const pieces = read.filter((segment): segment is Spoken => !isProblem(segment));
  const isByWord = pieces.length > 1 && isWordByWord(pieces.filter(({ isRest }) => !isRest));
  const spoken = withRests(list.hasUnknownUnit && isInMilliseconds(pieces) ? pieces.map(inSeconds) : pieces);
  const sentences = isByWord ? joined(spoken) : spoken;
  const entries = sentences.map(({ line, start, end, speaker, said }) =>
    withoutTooManyTags({ line, start, end, text: cueText(said, names.get(speaker) ?? nameOf(speaker)) }),
  );
  const problems = [...read, ...entries].filter((entry): entry is Problem => isProblem(entry));
  return [...placed(problems, source, list.path), ...entries.filter((entry) => !isProblem(entry))];
}

const NO_LIST =
  "there is no list of timed words in this JSON, such as “segments” (Podcasting 2.0, Whisper), “utterances” (AssemblyAI) or “monologues” (Rev).";

/** Names the first problem by its line, and counts the others. Until here, `line` is the item's number. */
function placed(problems: Problem[], source: string, path: string[]): Problem[] {
  const [first] = problems;
  if (!first) return [];
  const steps = path.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  const line = lineOfItem(source, [...steps, first.line]);
  return problems.map((problem) => ({ ...problem, line }));
}

/** Premiere Pro and Rev list the speakers' names separately from the words. */
function namesOf(file: unknown) {
  const { speakers } = file as { speakers?: unknown };
  const list = Array.isArray(speakers) ? (speakers as (Fields | null)[]) : [];
  return new Map(
    list.flatMap((speaker) =>
      typeof speaker?.["name"] === "string" ? [[String(speaker["id"]), speaker["name"]] as const] : [],
    ),
  );
}

/** Speakers that a program only numbers get the name that its own captions use. */
const nameOf = (speaker: string) => (/^(?:\d+|[A-Z])$/.test(speaker) ? `Speaker ${speaker}` : speaker);

/** Characters a second below which whole numbers must be milliseconds: no speaker is that slow. */
const SLOWEST = 0.05;

function isInMilliseconds(pieces: Spoken[]) {
  const times = pieces.flatMap(({ start, end }) => (end === null ? [start] : [start, end]));
  if (!times.every(Number.isInteger)) return false;
  const lasts = pieces.reduce((sum, { start, end }) => sum + Math.max(0, (end ?? start) - start), 0);
  const characters = pieces.reduce((sum, { said }) => sum + said.length, 0);
  const last = times.reduce((latest, time) => Math.max(latest, time), 0);
  return characters < SLOWEST * (lasts || last);
}

const inSeconds = (piece: Spoken): Spoken => ({
  ...piece,
  start: toMs(piece.start / 1000),
  end: piece.end === null ? null : toMs(piece.end / 1000),
});

/** Joins punctuation to the word before it. */
function withRests(pieces: Spoken[]) {
  const whole: Spoken[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last && piece.isRest) {
      last.said += piece.said;
      last.end = Math.max(last.end ?? 0, piece.end ?? 0) || last.end;
    } else if (!piece.isRest || piece.said.trim() !== "") whole.push({ ...piece });
  }
  return whole;
}

type Spoken = {
  /** The number of its item. */
  line: number;
  start: number;
  end: number | null;
  speaker: string;
  said: string;
  isRest: boolean;
};

function segmentsOf(item: unknown, at: number, read: (item: Fields) => Piece[]): (Spoken | Problem)[] {
  const problem = (words: string) => ({ line: at, problem: `segment ${at + 1} ${words}` });
  if (typeof item !== "object" || item === null) return [problem("isn’t an object.")];
  return read(item as Fields).map((piece) => {
    const found = segmentOf(piece, at);
    return typeof found === "string" ? problem(found) : found;
  });
}

/** Or a description of the problem. */
function segmentOf(piece: Piece, at: number): Spoken | string {
  const [start, end] = [timeOf(piece.start), timeOf(piece.end)];
  const isRest = piece.isRest === true;
  if (typeof piece.said !== "string") return "has no words.";
  if (start === null && !isRest) return "has no start in seconds.";
  if (end === null && piece.end !== null && piece.end !== undefined && !isRest)
    return "has an end that isn’t in seconds.";
  if (start !== null && end !== null && start - end > 1) return "ends before it starts.";
  const speaker = ["string", "number"].includes(typeof piece.speaker) ? String(piece.speaker) : "";
  return { line: at, start: start ?? 0, end, speaker, said: piece.said, isRest };
}

/** Seconds, as a number, a clock, Google’s “1.300s” and seconds with nanoseconds, or Azure’s “PT1M2.5S”. */
function timeOf(value: unknown) {
  if (typeof value === "object" && value !== null) {
    const { seconds = 0, nanos = 0 } = value as Fields;
    return timeOf(Number(seconds) + Number(nanos) / 1e9);
  }
  if (typeof value === "string" && value.includes(":")) return secondsOf(value.trim());
  const [, hours, minutes, rest] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(String(value)) ?? [];
  if (hours ?? minutes ?? rest)
    return timeOf(Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0));
  const isWritten = typeof value === "string" && value.trim() !== "";
  const seconds = isWritten ? Number(value.replace(/s$/, "")) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? toMs(seconds) : null;
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const isWord = ({ said }: Spoken) => {
  const word = said.trim();
  return word !== "" && !/\s/.test(word) && word.length <= (UNSPACED.test(word) ? 4 : 30);
};

const isWordByWord = (segments: Spoken[]) => segments.filter(isWord).length >= segments.length * 0.8;

/** Characters after which an unfinished sentence is split into another cue. */
const MOST_JOINED = 300;
/** Seconds of silence between two cues. */
const PAUSE = 3;

function joined(words: Spoken[]) {
  const sentences: Spoken[] = [];
  for (const word of words) {
    const last = sentences.at(-1);
    const follows =
      last?.speaker === word.speaker &&
      !/[.?!…。！？]["”’)]?\s*$/.test(last.said) &&
      last.said.length < MOST_JOINED &&
      word.start - (last.end ?? last.start) <= PAUSE;
    if (!last || !follows) sentences.push({ ...word });
    else {
      last.said += `${isApart(last.said, word.said) ? " " : ""}${word.said}`;
      last.end = word.end;
    }
  }
  return sentences;
}

const isApart = (before: string, after: string) =>
  !/\s$/.test(before) &&
  !/^[\s,.;:?!…)]/.test(after) &&
  !(UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1)));

function lineOfItem(source: string, path: (string | number)[]) {
  try {
    const root = parseTree(source);
    return lineAt(source, (root && findNodeAtLocation(root, path)?.offset) ?? 0);
  } catch (error) {
    return firstLine(error);
  }
}

function lineOfError(source: string) {
  const errors: ParseError[] = [];
  try {
    parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    return firstLine(error);
  }
  return lineAt(source, errors[0]?.offset ?? source.length);
}

/** For lists nested deeper than the parser's stack. */
function firstLine(error: unknown) {
  if (!(error instanceof RangeError)) throw error;
  return 1;
}

const lineAt = (source: string, offset: number) => source.slice(0, offset).split("\n").length;
