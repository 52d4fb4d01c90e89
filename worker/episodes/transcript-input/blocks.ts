import { secondsOf } from "#worker/episodes/transcript-input/times.ts";
import {
  notATime,
  shortened,
  srtText,
  timesWords,
  vttText,
  type Problem,
  type TimedText,
} from "#worker/episodes/transcript-input/texts.ts";

/** WebVTT and SRT: a time, and what is said below it. */

const ARROW = "-->";

/** Arrows that programs and word processors make of it. */
const ARROWS = /(?:-{1,3}|[–—])>|→/;

/** A line of an SRT. Its times may be wrong. */
export function looksTimed(line: string) {
  const at = line.search(ARROWS);
  const before = line.slice(0, Math.max(0, at));
  // A text may have the others too.
  return /\d:/.test(before) && (line.startsWith(ARROW, at) || /^[\s\d:]+[.,] ?\d+\s*$/.test(before));
}

const hasArrow = (line: string) => line.includes(ARROW);
const isBlank = (line: string) => line.trim() === "";
const isNumber = (line: string | undefined) => /^\s*\d+\s*$/.test(line ?? "");

export function readWebVtt(source: string): (TimedText | Problem)[] {
  const [header, ...blocks] = blocksOf(source);
  return blocks.flatMap((block) => {
    const isRemark = /^(NOTE|STYLE|REGION)(?=\s|$)/.test(block.lines[0]!) && !block.lines.some(hasArrow);
    // A number above the first time, if no blank line ends the header.
    return isRemark || block === header ? [] : readBlock(block);
  });
}

/** `line` is the number of the first. */
type Block = { line: number; lines: string[] };

/**
 * Only an empty line ends a block: one with a space does so just before the number and the time of another, and so does that
 * time itself.
 */
function blocksOf(source: string) {
  const lines = source.split("\n");
  const next = nextWritten(lines);
  const startsCue = (at: number) =>
    hasArrow(lines[at] ?? "") || (isNumber(lines[at]) && hasArrow(lines[at + 1] ?? ""));
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const [index, line] of lines.entries()) {
    const isFull = open !== null && (open.lines.length > 1 || hasArrow(open.lines[0]!) || open === blocks[0]);
    if (isBlank(line) && (line === "" || startsCue(next[index]!))) open = null;
    else if (open && !(isFull && startsCue(index))) open.lines.push(line);
    else if (!isBlank(line)) blocks.push((open = { line: index + 1, lines: [line] }));
  }
  return blocks;
}

/** For each line, the index of the next line that is not empty. */
function nextWritten(lines: string[]) {
  const next = Array.from<number>({ length: lines.length });
  let found = lines.length;
  for (let at = lines.length - 1; at >= 0; at--) {
    next[at] = found;
    if (!isBlank(lines[at]!)) found = at;
  }
  return next;
}

/** The timed text of a block, or what is wrong with it. */
function readBlock({ line, lines }: Block): TimedText | Problem {
  const at = lines.findIndex(hasArrow);
  if (at < 0) return withoutTime(line, lines[0]!);
  const [from = "", rest = ""] = lines[at]!.split(ARROW);
  return timedText({ line: line + at, from, rest, said: lines.slice(at + 1), toCueText: vttText });
}

const withoutTime = (line: number, text: string): Problem => ({
  line,
  problem: `“${shortened(text)}” has no time. A blank line ends each cue.`,
});

type Cue = { line: number; from: string; rest: string; said: string[]; toCueText: (said: string) => string };

function timedText({ line, from, rest, said: lines, toCueText }: Cue): TimedText | Problem {
  const to = rest.trim().split(/\s/)[0]!;
  const [start, end] = [secondsOf(from.trim()), secondsOf(to)];
  if (start === null || end === null) return { line, problem: notATime(start === null ? from.trim() : to) };
  const said = lines
    .filter((text) => !isBlank(text))
    .join("\n")
    .trim();
  return { line, start, end, text: toCueText(said).trim(), hasWordTimes: timesWords(said) };
}

/**
 * A cue ends where the number or the time of the next begins: programs leave empty lines out, double them, and have them in
 * what is said, which may have an arrow.
 */
export function readSrt(source: string): (TimedText | Problem)[] {
  const lines = source.split("\n");
  const times = lines.flatMap((line, at) => (looksTimed(line) ? [at] : []));
  const isSpaced = numberAbove(lines, times[0]!, { isSpaced: true }) !== numberAbove(lines, times[0]!);
  const heads = times.map((at) => numberAbove(lines, at, { isSpaced }) ?? at);
  const above = lines.slice(0, heads[0]).findIndex((line) => !isBlank(line));
  const lost = above < 0 ? [] : [withoutTime(above + 1, lines[above]!)];
  const cues = times.map((at, index) => {
    const head = lines[heads[index]!]!;
    if (heads[index] !== at && !/\d/.test(head)) {
      const problem = `“${shortened(head)}” is neither a cue’s number nor its time.`;
      return { line: heads[index]! + 1, problem };
    }
    const line = lines[at]!;
    const [arrow] = ARROWS.exec(line)!;
    const [from, rest] = [line.slice(0, line.indexOf(arrow)), line.slice(line.indexOf(arrow) + arrow.length)];
    // Translating programs put spaces into them.
    const [first, last] = [from, rest].map((time) => time.trim().replace(/(?<=\d) ?([:.,]) ?(?=\d)/g, "$1"));
    const said = lines.slice(at + 1, heads[index + 1]);
    return timedText({ line: at + 1, from: first!, rest: last!, said, toCueText: srtText });
  });
  return [...lost, ...cues];
}

/** The index of a cue's number, or of other text in its position below an empty line. */
function numberAbove(lines: string[], time: number, { isSpaced = false } = {}) {
  let at = time - 1;
  if (isSpaced) while (at >= 0 && isBlank(lines[at]!)) at--;
  if (at < 0 || isBlank(lines[at]!) || looksTimed(lines[at]!)) return null;
  const isBelowEmpty = at === 0 || isBlank(lines[at - 1]!);
  return isNumber(lines[at]) || (at === time - 1 && isBelowEmpty) ? at : null;
}
