import { secondsOf } from "#worker/episodes/transcript-input/times.ts";
import {
  notATime,
  shortened,
  srtText,
  timesWords,
  tooManyTags,
  vttText,
  type Problem,
  type TimedText,
} from "#worker/episodes/transcript-input/texts.ts";

/** WebVTT and SRT: blocks of a time and what is said, with empty lines between. */

const ARROW = "-->";

/** A line of an SRT. Its times may be wrong. */
export const looksTimed = (line: string) => /\d:/.test(line.slice(0, Math.max(0, line.indexOf(ARROW))));

export function readWebVtt(source: string): (TimedText | Problem)[] {
  const [header, ...blocks] = blocksOf(source, hasArrow);
  const at = header!.lines.findIndex(hasArrow);
  if (at >= 0) return [{ line: header!.line + at, problem: "a blank line is missing before this time." }];
  return blocks.flatMap((block) => {
    const isRemark = /^(NOTE|STYLE|REGION)(?=\s|$)/.test(block.lines[0]!) && !block.lines.some(hasArrow);
    return isRemark ? [] : readBlock(block, { isTiming: hasArrow, isSrt: false });
  });
}

/** What SRT says may have an arrow. */
export const readSrt = (source: string): (TimedText | Problem)[] =>
  blocksOf(source, looksTimed).map((block) => readBlock(block, { isTiming: looksTimed, isSrt: true }));

const hasArrow = (line: string) => line.includes(ARROW);

/** `line` is the number of the first. */
type Block = { line: number; lines: string[] };

/**
 * Only an empty line ends a block: one with a space does so just before the number and the time of another. A cue without
 * words may have no line of its own between its time and the next number.
 */
function blocksOf(source: string, isTiming: (line: string) => boolean) {
  const lines = source.split("\n");
  const next = nextWritten(lines);
  const startsCue = (at: number) =>
    isTiming(lines[at] ?? "") || (/^\d+$/.test(lines[at]?.trim() ?? "") && isTiming(lines[at + 1] ?? ""));
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const [index, line] of lines.entries()) {
    const isBlank = line.trim() === "";
    if (isBlank && (line === "" || startsCue(next[index]!))) open = null;
    else if (open && !(isTiming(open.lines.at(-1)!) && startsCue(index))) open.lines.push(line);
    else if (!isBlank) blocks.push((open = { line: index + 1, lines: [line] }));
  }
  return blocks;
}

/** For each line the place of the next with something in it. */
function nextWritten(lines: string[]) {
  const next = Array.from<number>({ length: lines.length });
  let found = lines.length;
  for (let at = lines.length - 1; at >= 0; at--) {
    next[at] = found;
    if (lines[at]!.trim() !== "") found = at;
  }
  return next;
}

type Rules = { isTiming: (line: string) => boolean; isSrt: boolean };

/** The timed text of a block, or what is wrong with it. */
function readBlock({ line, lines }: Block, { isTiming, isSrt }: Rules): TimedText | Problem {
  const at = lines.findIndex(isTiming);
  if (at < 0) return { line, problem: `“${shortened(lines[0]!)}” has no time. A blank line ends each cue.` };
  const next = lines.findIndex((text, index) => index > at && isTiming(text));
  const misplaced = at > 1 ? at : next;
  if (misplaced >= 0) return { line: line + misplaced, problem: "a blank line is missing before this time." };
  if (isSrt && at === 1 && !/\d/.test(lines[0]!))
    return { line, problem: `“${shortened(lines[0]!)}” is neither a cue’s number nor its time.` };

  const [from = "", rest = ""] = lines[at]!.split(ARROW).map((part) => part.trim());
  const to = rest.split(/\s/)[0]!;
  const [start, end] = [secondsOf(from), secondsOf(to)];
  if (start === null || end === null)
    return { line: line + at, problem: notATime(start === null ? from : to) };

  const said = lines
    .slice(at + 1)
    .filter((text) => text.trim() !== "")
    .join("\n")
    .trim();
  const problem = tooManyTags(said);
  if (problem) return { line: line + at + 1, problem };
  const hasWordTimes = timesWords(said);
  return { line: line + at, start, end, text: (isSrt ? srtText : vttText)(said).trim(), hasWordTimes };
}
