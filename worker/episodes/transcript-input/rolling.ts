import { isProblem, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

/** Seconds between two captions of which the second still shows lines of the first. */
const GAP = 1;

/**
 * Rolling captions, as YouTube generates them, repeat each line above the next one: each is read once. Other captions
 * are not changed, even if words are repeated.
 */
export function withoutRepeatedLines(entries: (TimedText | Problem)[]) {
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
  if (!isRolling) return { entries, notes: [] };
  const once = entries.flatMap((entry, at) => {
    if (isProblem(entry) || repeats[at] === 0) return [entry];
    const lines = entry.text.split("\n").slice(repeats[at]);
    return lines.length === 0 ? [] : [{ ...entry, text: lines.join("\n") }];
  });
  return { entries: once, notes: ["Each line that the captions show again above the next is written once."] };
}

/** How many of the first lines are the last of the caption before. */
function repeatedLines(before: string[], lines: string[]) {
  for (let count = Math.min(before.length, lines.length); count > 0; count--) {
    const last = before.slice(-count);
    if (last.every((line, at) => line !== "" && line === lines[at])) return count;
  }
  return 0;
}
