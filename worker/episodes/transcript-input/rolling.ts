import { isProblem, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

/** Seconds between two captions of which the second still shows lines of the first. */
const GAP = 1;

/**
 * Rolling captions, as YouTube generates them, repeat each line above the next one: each is read once. Other captions
 * are not changed, even if words are repeated.
 */
export function withoutRepeatedLines(given: (TimedText | Problem)[]) {
  const entries = withoutHighlights(given);
  const isShorter = entries.length < given.length;
  const shown = entries.map((entry) =>
    isProblem(entry) ? [] : entry.text.split("\n").map((line) => line.trim()),
  );
  const repeats = entries.map((entry, at) => {
    const before = entries[at - 1];
    if (!before || isProblem(before) || isProblem(entry)) return 0;
    const isNext = Math.abs(entry.start - (before.end ?? entry.start)) <= GAP;
    return isNext ? repeatedLines(shown[at - 1]!, shown[at]!) : 0;
  });
  const isAutomatic = entries.some((entry) => !isProblem(entry) && entry.hasWordTimes);
  const rolled = repeats.filter((count, at) => count > 0 && count < shown[at]!.length).length;
  const repeated = repeats.filter((count) => count > 0).length;
  const written = shown.filter((lines) => lines.some((line) => line !== "")).length;
  const isRolling = isAutomatic ? repeated > 0 : rolled > 0 && repeated > 1 && repeated >= (written - 1) / 2;
  if (!isRolling) return { entries, notes: isShorter ? [HIGHLIGHTED] : [] };
  const once = entries.flatMap((entry, at) => {
    if (isProblem(entry) || repeats[at] === 0) return [entry];
    const lines = entry.text.split("\n").slice(repeats[at]);
    return lines.length === 0 ? [] : [{ ...entry, text: lines.join("\n") }];
  });
  const note = "Each line that the captions show again above the next is written once.";
  return { entries: once, notes: isShorter ? [HIGHLIGHTED, note] : [note] };
}

const HIGHLIGHTED = "Each caption that is shown again for each of its words is written once.";

const withoutUnderlines = (text: string) => text.replace(/<\/?u>/g, "");

/** Whisper’s option `highlight_words` shows a caption once for each of its words, which is underlined. */
function withoutHighlights(entries: (TimedText | Problem)[]) {
  const once: { entry: TimedText | Problem; plain: string | null; underlined: number; at: number }[] = [];
  for (const entry of entries) {
    const plain = isProblem(entry) ? null : withoutUnderlines(entry.text);
    const underlined = isProblem(entry) || plain === entry.text ? 0 : 1;
    const at = isProblem(entry) ? -1 : entry.text.indexOf("<u>");
    const last = once.at(-1);
    const before = last?.entry;
    const isNext =
      before &&
      !isProblem(entry) &&
      !isProblem(before) &&
      plain !== "" &&
      last.plain === plain &&
      last.underlined + underlined > 0 &&
      // The same words said again begin with the first word.
      (underlined === 0 || at > last.at) &&
      before.text !== entry.text &&
      before.end !== null &&
      Math.abs(entry.start - before.end) <= GAP;
    if (!isNext) once.push({ entry, plain, underlined, at });
    else {
      last.entry = { ...before, text: entry.text, end: entry.end };
      last.underlined += underlined;
      last.at = Math.max(last.at, at);
    }
  }
  // A single underlined repetition is no highlighting.
  if (!once.some((group) => group.underlined > 1)) return entries;
  return once.map(({ entry, plain }) => (isProblem(entry) ? entry : { ...entry, text: plain! }));
}

/** Lines that are shown at one time; the programs show two or three. */
const MOST_SHOWN = 10;

/** How many of the first lines are the last of the caption before. */
function repeatedLines(before: string[], lines: string[]) {
  for (let count = Math.min(before.length, lines.length, MOST_SHOWN); count > 0; count--) {
    const last = before.slice(-count);
    if (last.every((line, at) => line !== "" && line === lines[at])) return count;
  }
  return 0;
}
