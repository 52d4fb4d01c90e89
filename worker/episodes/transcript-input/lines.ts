import { secondsOf, toMs } from "#worker/episodes/transcript-input/times.ts";
import {
  cueText,
  everyLine,
  notATime,
  shortened,
  srtText,
  type Problem,
  type TimedText,
} from "#worker/episodes/transcript-input/texts.ts";

/** The formats in which a line has its own time: SBV, LRC, TMPlayer, ASS and what Whisper shows while it works. */

const SBV_TIMES = /^(\d+:\d+:\d+(?:\.\d+)?), ?(\d+:\d+:\d+(?:\.\d+)?)$/;

export const isSbvTiming = (line: string) => SBV_TIMES.test(line.trim());

/** SBV, as YouTube writes it: a line of two times, and what is said up to the next. */
export function readSbv(source: string): (TimedText | Problem)[] {
  const entries: (TimedText | Problem)[] = [];
  let said: string[] = [];
  let open: TimedText | null = null;
  const close = () => {
    if (open) entries.push({ ...open, text: cueText(said.join("\n").replaceAll("[br]", "\n")) });
    [open, said] = [null, []];
  };
  for (const [index, text] of source.split("\n").entries()) {
    const [, from, to] = SBV_TIMES.exec(text.trim()) ?? [];
    const line = index + 1;
    if (from !== undefined && to !== undefined) {
      close();
      const [start, end] = [secondsOf(from), secondsOf(to)];
      if (start === null || end === null)
        entries.push({ line, problem: notATime(start === null ? from : to) });
      else open = { line, start, end, text: "" };
    } else if (open) said.push(text);
    else if (text.trim() !== "")
      entries.push({ line, problem: `“${shortened(text)}” has no time above it.` });
  }
  close();
  return entries;
}

/** A fraction distinguishes times with hours from those that people write into a text. */
const LRC_TIME = /^\s*\[(\d+:\d{1,2}(?:\.\d{1,3})?|\d+:\d{1,2}:\d{1,2}\.\d{1,3})\]/;
const LRC_TAG = /^\s*\[(?:[a-z]+|#):.*\]\s*$/i;

/**
 * LRC times have a fraction; a text with times such as [0:12] above its paragraphs is not LRC, unless each line has
 * one.
 */
export function isLrc(source: string) {
  const lines = source.split("\n").filter((line) => line.trim() !== "" && !LRC_TAG.test(line));
  const first = LRC_TIME.exec(lines[0] ?? "")?.[1];
  return first !== undefined && (/\.\d+$/.test(first) || lines.every((line) => LRC_TIME.test(line)));
}

/** Characters of a line with all its times: a chorus has a few. */
const MOST_REPEATED = 100_000;

/** A line without words ends the one before it, and a line without a time continues it. */
export function readLrc(source: string): (TimedText | Problem)[] {
  const problems: Problem[] = [];
  const said: TimedText[] = [];
  let offset = 0;
  for (const [index, whole] of source.split("\n").entries()) {
    const line = index + 1;
    if (whole.trim() === "") continue;
    if (LRC_TAG.test(whole)) {
      const shift = /\[offset:\s*([+-]?\d+)\s*\]/i.exec(whole)?.[1];
      if (shift !== undefined) offset = Number(shift) / 1000;
      continue;
    }
    const { times, words } = lrcLine(whole);
    const text = srtText(words).trim();
    const last = said.at(-1);
    if (times.length > 1 && times.length * text.length > MOST_REPEATED)
      problems.push({
        line,
        problem: `it is said at ${times.length} times, which is too much for one line.`,
      });
    else if (times.length > 0)
      for (const time of times) said.push({ line, start: lrcStart(time, offset), end: null, text });
    else if (last) last.text += `\n${text}`;
    else problems.push({ line, problem: `“${shortened(whole)}” has no time such as [01:02.50].` });
  }
  return [...problems, ...withEnds(said)];
}

function lrcLine(whole: string) {
  const times: string[] = [];
  let words = whole;
  for (let time = LRC_TIME.exec(words); time; time = LRC_TIME.exec(words)) {
    times.push(time[1]!);
    words = words.slice(time[0].length);
  }
  return { times, words: words.replace(/<\d+:\d{1,2}(?:\.\d{1,3})?>/g, "").replace(/ {2,}/g, " ") };
}

/** Minutes go beyond 59, and hours may be before them. The offset moves all words forward. */
function lrcStart(time: string, offset: number) {
  const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return toMs(Math.max(0, seconds - offset));
}

/** Each ends when the next begins; lines with the same time are one text. */
function withEnds(said: TimedText[]) {
  const together: TimedText[] = [];
  for (const entry of said.toSorted((a, b) => a.start - b.start)) {
    const last = together.at(-1);
    if (last?.start !== entry.start) together.push({ ...entry });
    else if (entry.text !== "") last.text += `${last.text === "" ? "" : "\n"}${entry.text}`;
  }
  return together
    .map((entry, at) => ({ ...entry, end: together[at + 1]?.start ?? null }))
    .filter(({ text }) => text !== "");
}

/** A number counts the lines that are shown together. */
const TM_LINE = /^\s*(\d{1,2}:\d{1,2}:\d{1,2})(?:,\d)?[:=](?!\d)(.*)$/;

export const isTmPlayer = (source: string) =>
  source !== "" && everyLine(source, (line) => TM_LINE.test(line));

/** TMPlayer: a line without words ends the one before it, and a bar is a line break. */
export const readTmPlayer = (source: string): (TimedText | Problem)[] => {
  const problems: Problem[] = [];
  const said: TimedText[] = [];
  for (const [index, whole] of source.split("\n").entries()) {
    const [, time, words = ""] = TM_LINE.exec(whole) ?? [];
    if (time === undefined) continue;
    const [line, start] = [index + 1, secondsOf(time)];
    if (start === null) problems.push({ line, problem: notATime(time) });
    else said.push({ line, start, end: null, text: srtText(words.replaceAll("|", "\n")).trim() });
  }
  return [...problems, ...withEnds(said)];
};

/** Comments may be above the first section. */
export const isAss = (source: string) =>
  /^(?:[;!][^\n]*\n\s*)*\[(?:Script Info|V4\+? Styles|Events(?:\]|$))/i.test(source.slice(0, 5000));

const ASS_COLUMNS = "layer, start, end, style, name, marginl, marginr, marginv, effect, text".split(", ");

/** The dialogue of an ASS or SSA file. */
export function readAss(source: string): (TimedText | Problem)[] {
  let isEvents = false;
  let columns = ASS_COLUMNS;
  const entries: (TimedText | Problem)[] = [];
  for (const [index, whole] of source.split("\n").entries()) {
    const line = index + 1;
    const text = whole.trim();
    if (/^\[[^\]]+\]$/.test(text)) isEvents = /^\[events\]$/i.test(text);
    if (!isEvents) continue;
    const format = /^Format:(.*)$/i.exec(text)?.[1];
    if (format !== undefined) columns = format.split(",").map((name) => name.trim().toLowerCase());
    const dialogue = /^Dialogue:(.*)$/i.exec(text)?.[1];
    if (dialogue !== undefined) entries.push(assLine(line, dialogue, columns));
  }
  return entries;
}

function assLine(line: number, dialogue: string, columns: string[]): TimedText | Problem {
  const parts = dialogue.split(",");
  const value = (...names: string[]) =>
    parts[columns.findIndex((name) => names.includes(name))]?.trim() ?? "";
  if (parts.length < columns.length)
    return { line, problem: `it has ${parts.length} columns, and “Format” names ${columns.length}.` };
  const [start, end] = [secondsOf(value("start")), secondsOf(value("end"))];
  if (start === null || end === null)
    return { line, problem: notATime(start === null ? value("start") : value("end")) };
  const at = columns.indexOf("text");
  // As the last column, it has all that follows, commas too.
  const said = at < columns.length - 1 ? (parts[at] ?? "") : parts.slice(at).join(",");
  return { line, start, end, text: cueText(assText(said), value("name", "actor")) };
}

const assText = (text: string) =>
  text
    // Shapes that are drawn.
    .replace(/\{([^{}]*)\}[^{}]*/g, (all, tags: string) => (/\\p[1-9]/.test(tags) ? "" : all))
    .replace(/(?<!\\)\{[^{}]*\}/g, "")
    .replace(/\\([{}])/g, "$1")
    .replace(/\\[Nn]/g, "\n")
    .replaceAll(String.raw`\h`, " ");

const WHISPER_LINE = /^\s*\[([\d:.]+) --> ([\d:.]+)\](.*)$/;

/** What it shows before the words. */
const WHISPER_REMARK = /^\s*(?:Detecting language using |Detected language:|Language detected:)/;

export const isWhisperLog = (source: string) =>
  WHISPER_LINE.test(source.split("\n", 10).find((line) => line.trim() && !WHISPER_REMARK.test(line)) ?? "");

/** The lines that Whisper shows while it works, as people copy them. */
export const readWhisperLog = (source: string): (TimedText | Problem)[] =>
  source.split("\n").flatMap((whole, index): (TimedText | Problem)[] => {
    if (whole.trim() === "" || WHISPER_REMARK.test(whole)) return [];
    const [, from, to, said] = WHISPER_LINE.exec(whole) ?? [];
    const line = index + 1;
    if (from === undefined) return [{ line, problem: `“${shortened(whole)}” has no times.` }];
    const [start, end] = [secondsOf(from), secondsOf(to!)];
    if (start === null || end === null) return [{ line, problem: notATime(start === null ? from : to!) }];
    return [{ line, start, end, text: cueText(said!) }];
  });
