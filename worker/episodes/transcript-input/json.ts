import { parseTree, findNodeAtLocation, type ParseError } from "jsonc-parser";
import { secondsOf, toMs } from "#worker/episodes/transcript-input/times.ts";
import { cueText, isProblem, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

type Fields = Record<string, unknown>;
type Segment = { start: unknown; end: unknown; speaker: unknown; said: unknown };

/** Where each program writes its list, and what its items have. */
const SHAPES: { list: string; read: (item: Fields) => Segment }[] = [
  {
    list: "segments",
    read: (item) => ("body" in item || "startTime" in item ? podcasting(item) : timed(item)),
  },
  // whisper.cpp
  {
    list: "transcription",
    read: ({ offsets, timestamps, text }) => ({ ...rangeOf(offsets, timestamps), speaker: "", said: text }),
  },
  // Hugging Face's Whisper
  {
    list: "chunks",
    read: ({ timestamp, text, speaker }) => {
      const [start, end] = Array.isArray(timestamp) ? (timestamp as unknown[]) : [];
      return { start, end, speaker, said: text };
    },
  },
  { list: "words", read: timed },
];

const podcasting = ({ startTime, endTime, speaker, body }: Fields): Segment => ({
  start: startTime,
  end: endTime,
  speaker,
  said: body,
});

function timed({ start, end, speaker, voice, text, word }: Fields): Segment {
  // Podlove has the name beside the number of a speaker.
  return { start, end, speaker: voice ?? speaker, said: text ?? word };
}

function rangeOf(offsets: unknown, timestamps: unknown) {
  const { from, to } = (offsets ?? {}) as Fields;
  if (typeof from === "number" && typeof to === "number") return { start: from / 1000, end: to / 1000 };
  const clocks = (timestamps ?? {}) as Fields;
  return { start: clocks["from"], end: clocks["to"] };
}

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
  const fields = (Array.isArray(parsed) ? { segments: parsed } : parsed) as Fields;
  const shape = SHAPES.find(({ list }) => Array.isArray(fields[list]));
  if (!shape) return [{ line: 1, problem: NO_LIST }];
  const read = (fields[shape.list] as unknown[]).map((item, at) => segmentOf(item, at, shape.read));
  const spoken = read.filter((segment): segment is Spoken => !isProblem(segment));
  const sentences = isWordByWord(spoken) ? joined(spoken) : spoken;
  const path = Array.isArray(parsed) ? [] : [shape.list];
  return [
    ...problemsOf(read, source, path),
    ...sentences.map(({ speaker, said, ...entry }) => ({ ...entry, text: cueText(said, speaker) })),
  ];
}

const NO_LIST =
  "there is no list “segments” (Podcasting 2.0, Whisper), “transcription” (whisper.cpp) or “chunks” in this JSON.";

/** The first is named by its line, the others are counted. */
function problemsOf(read: (Spoken | Problem)[], source: string, path: string[]): Problem[] {
  const first = read.findIndex(isProblem);
  if (first < 0) return [];
  const line = lineOfItem(source, [...path, first]);
  return read.filter(isProblem).map((problem) => ({ ...problem, line }));
}

type Spoken = { line: number; start: number; end: number | null; speaker: string; said: string; text: "" };

function segmentOf(item: unknown, at: number, read: (item: Fields) => Segment): Spoken | Problem {
  const problem = (words: string) => ({ line: 1, problem: `segment ${at + 1} ${words}` });
  if (typeof item !== "object" || item === null) return problem("isn’t an object.");
  const segment = read(item as Fields);
  const [start, end] = [timeOf(segment.start), timeOf(segment.end)];
  if (typeof segment.said !== "string") return problem("has no words.");
  if (start === null) return problem("has no start in seconds.");
  if (end === null && segment.end !== null && segment.end !== undefined)
    return problem("has an end that isn’t in seconds.");
  if (end !== null && start - end > 1) return problem("ends before it starts.");
  const speaker = ["string", "number"].includes(typeof segment.speaker) ? String(segment.speaker) : "";
  return { line: 1, start, end, speaker, said: segment.said, text: "" };
}

function timeOf(value: unknown) {
  if (typeof value === "string" && value.includes(":")) return secondsOf(value.trim());
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? toMs(seconds) : null;
}

/** Scripts that have no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const isWord = ({ said }: Spoken) => {
  const word = said.trim();
  return word !== "" && !/\s/.test(word) && word.length <= (UNSPACED.test(word) ? 4 : 30);
};

const isWordByWord = (segments: Spoken[]) =>
  segments.length > 1 && segments.filter(isWord).length >= segments.length * 0.8;

/** Characters after which a sentence that does not end becomes another cue. */
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

/** Of lists within lists, deeper than the parser's stack. */
function firstLine(error: unknown) {
  if (!(error instanceof RangeError)) throw error;
  return 1;
}

const lineAt = (source: string, offset: number) => source.slice(0, offset).split("\n").length;
