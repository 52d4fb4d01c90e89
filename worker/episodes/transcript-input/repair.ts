import { isProblem, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";
import { toMs } from "#worker/episodes/transcript-input/times.ts";

/** A timed text whose end is after its start. */
export type Timed = { start: number; end: number; text: string };

/** Seconds that an end may be before its start: captioning programs round both. */
const ROUNDED = 1;
/** Seconds of a last text that has no end of its own. */
const LAST = 2;

/** `backwards`: the ends that are too early to be rounded; their texts are among the timed ones. */
type Repaired = { timed: Timed[]; problems: Problem[]; backwards: Problem[]; notes: string[] };

/** The texts sorted by start, each with an end; notes describe the changes. */
export function repairTimes(entries: (TimedText | Problem)[]): Repaired {
  const problems = entries.filter(isProblem);
  const texts = entries.filter((entry): entry is TimedText => !isProblem(entry));
  const written = texts.filter(({ text }) => text !== "");
  // Subtitles with a shadow contain a text twice.
  const once = new Map(written.map((entry) => [`${entry.start} ${entry.end} ${entry.text}`, entry]));
  const said = [...once.values()].toSorted((a, b) => a.start - b.start);
  const counts = { ends: 0, last: 0, overlaps: 0 };
  const timed: Timed[] = [];
  const backwards: Problem[] = [];
  let later = Infinity;
  for (let at = said.length - 1; at >= 0; at--) {
    const { line, start, end, text } = said[at]!;
    if (at + 1 < said.length && said[at + 1]!.start > start) later = said[at + 1]!.start;
    if (end !== null && start - end > ROUNDED)
      backwards.push({ line, problem: `the end ${clock(end)} isn’t after the start ${clock(start)}.` });
    const isMissing = end === null || end <= start;
    if (end !== null && isMissing) counts[later === Infinity ? "last" : "ends"]++;
    if (!isMissing && end > later) counts.overlaps++;
    const ends = isMissing ? (later === Infinity ? toMs(start + LAST) : later) : Math.min(end, later);
    timed.push({ start, end: ends, text });
  }
  return {
    timed: timed.toReversed(),
    problems,
    backwards,
    notes: [
      ...counted(
        counts.ends,
        "ended when or before it began, and now ends where the next begins",
        "ended when or before they began, and now end where the next begins",
      ),
      ...counted(
        counts.last,
        `at the end ended when or before it began, and now lasts ${LAST} seconds`,
        `at the end ended when or before they began, and now last ${LAST} seconds`,
      ),
      ...counted(
        counts.overlaps,
        "overlapped the next, and now ends where that begins",
        "overlapped the next, and now end where that begins",
      ),
      ...counted(
        texts.length - written.length,
        "had no words, and is left out",
        "had no words, and are left out",
      ),
    ],
  };
}

const counted = (count: number, one: string, more: string) =>
  count === 0 ? [] : [count === 1 ? `1 cue ${one}.` : `${count.toLocaleString("en")} cues ${more}.`];

/** As WebVTT writes it; SRT has a comma. */
export function clock(seconds: number) {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const whole = Math.floor(ms / 1000);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${String(ms % 1000).padStart(3, "0")}`;
}
