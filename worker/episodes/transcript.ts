import { tokenizeVTTCue, VTTCue, type VTTNode } from "media-captions";
import type { Cue } from "#worker/episodes/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/** In one cue. They are read one within the other, and more would overflow the stack. */
const MAX_TAGS = 200;

type Transcript = {
  /** As it is stored: WebVTT, or plain text where there are no times. Empty for none. */
  transcript: string;
  /** One voice each, in the order in which they are spoken; none of a plain text. */
  cues: Cue[];
};

/**
 * Reads an uploaded or pasted transcript: WebVTT, SRT or plain text. What starts at the second `end` or later is left out.
 * @throws `invalid` for a timed one of which a cue cannot be read, with its line
 */
export function readTranscript(source: string, { end = Infinity } = {}): Transcript {
  // Control characters, of which no format has a use.
  const text = source.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\t\n]/gu, "");
  const isVtt = /^\uFEFF?\s*WEBVTT(?=\s|$)/.test(text);
  if (!isVtt && !text.split("\n").some(looksTimed)) return { transcript: plainOf(text), cues: [] };
  const all = readTimedTexts(text, isVtt);
  const timed = all.filter(({ start }) => start < end);
  if (timed.length === 0 && all.length > 0) return { transcript: "", cues: [] };
  const cues = timed.flatMap(cuesOf);
  if (cues.length === 0) throw invalid("This transcript has no line with both a time and words.");
  return { transcript: writeWebVtt(timed), cues };
}

const ARROW = "-->";

/** A line of an SRT. Its times may be wrong. */
const looksTimed = (line: string) => /\d:/.test(line.slice(0, Math.max(0, line.indexOf(ARROW))));

const plainOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** `text` is WebVTT cue text, in seconds from the beginning. */
type TimedText = { start: number; end: number; text: string };

/** The timed texts of a file, sorted. Those that say nothing are left out. */
function readTimedTexts(source: string, isVtt: boolean) {
  const problems: string[] = [];
  const blocks = blocksOf(source);
  if (isVtt) refuseCuesOfHeader(blocks.shift()!);
  const texts = blocks.flatMap((block) => {
    if (isVtt && /^(NOTE|STYLE|REGION)(?=\s|$)/.test(block.lines[0]!)) return [];
    const read = readBlock(block, isVtt);
    if (typeof read !== "string") return read.text === "" ? [] : [read];
    problems.push(read);
    return [];
  });
  if (problems.length > 0) {
    const others = problems.length - 1;
    const more =
      others === 0 ? "" : ` ${others} more ${others === 1 ? "place" : "places"} can’t be read either.`;
    throw invalid(problems[0]! + more);
  }
  return texts.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Lines without a blank one between them. `line` is the number of the first. */
type Block = { line: number; lines: string[] };

function blocksOf(source: string) {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const [index, line] of source
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") isOpen = false;
    else if (isOpen) blocks.at(-1)!.lines.push(line);
    else {
      blocks.push({ line: index + 1, lines: [line] });
      isOpen = true;
    }
  }
  return blocks;
}

function refuseCuesOfHeader({ line, lines }: Block) {
  const at = lines.findIndex((text) => text.includes(ARROW));
  if (at >= 0) throw invalid(`Line ${line + at}: a blank line is missing before this time.`);
}

/** The timed text of a block, or what is wrong with it. */
function readBlock({ line, lines }: Block, isVtt: boolean): TimedText | string {
  // What SRT says may have an arrow.
  const isTiming = (text: string) => (isVtt ? text.includes(ARROW) : looksTimed(text));
  const at = lines.findIndex(isTiming);
  if (at < 0) return `Line ${line}: “${startOf(lines[0]!)}” has no time. A blank line ends each cue.`;
  const next = lines.findIndex((text, index) => index > at && isTiming(text));
  const misplaced = at > 1 ? at : next;
  if (misplaced >= 0) return `Line ${line + misplaced}: a blank line is missing before this time.`;

  const [from = "", rest = ""] = lines[at]!.split(ARROW).map((part) => part.trim());
  const to = rest.split(/\s/)[0]!;
  const [start, end] = [secondsOf(from), secondsOf(to)];
  if (start === null) return `Line ${line + at}: “${startOf(from)}” isn’t a time such as 00:01:02.500.`;
  if (end === null) return `Line ${line + at}: “${startOf(to)}” isn’t a time such as 00:01:02.500.`;
  if (end <= start) return `Line ${line + at}: the end ${clock(end)} isn’t after the start ${clock(start)}.`;

  const said = lines
    .slice(at + 1)
    .join("\n")
    .trim();
  if (said.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1) {
    return `Line ${line + at + 1}: there are more than ${MAX_TAGS} tags. Simplify it.`;
  }
  return { start, end, text: isVtt ? said : escapeSrt(said) };
}

/** Of WebVTT and SRT, as people write it, too: hours may be missing, and there may be a comma. */
function secondsOf(time: string) {
  const match = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/.exec(time);
  if (!match) return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
}

const startOf = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** In SRT text only these are markup; everything else that WebVTT would read as such is meant as written. */
const escapeSrt = (text: string) =>
  text
    .replace(/<\/?font[^>]*>/gi, "")
    .replace(/&|<(?!\/?[biu]>)/g, (char) => (char === "&" ? "&amp;" : "&lt;"))
    .replaceAll(ARROW, "--&gt;");

function writeWebVtt(timed: TimedText[]) {
  const blocks = timed.map(({ start, end, text }) => `${clock(start)} --> ${clock(end)}\n${text}`);
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

const cuesOf = ({ start, end, text }: TimedText): Cue[] =>
  voices(tokenizeVTTCue(new VTTCue(start, end, text))).map((voice) => ({ start, end, ...voice }));

/** A cue may change voice in its middle; text without a voice tag belongs to nobody. */
function voices(nodes: VTTNode[]) {
  const lines: { speaker: string; text: string }[] = [];
  for (const node of nodes) {
    const speaker = "voice" in node && node.voice ? node.voice : "";
    const text = textOf(node);
    const last = lines.at(-1);
    if (last && last.speaker === speaker) last.text += text;
    else lines.push({ speaker, text });
  }
  return lines
    .map(({ speaker, text }) => ({ speaker, text: text.replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "");
}

function textOf(node: VTTNode): string {
  return node.type === "text" ? node.data : node.children.map(textOf).join("");
}

/** As WebVTT writes it; SRT has a comma. */
export function clock(seconds: number) {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const whole = Math.floor(ms / 1000);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${String(ms % 1000).padStart(3, "0")}`;
}

const invalid = (message: string) => new AppError("invalid", message, { field: "transcript" });
