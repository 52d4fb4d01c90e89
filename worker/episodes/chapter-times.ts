import type { Chapter, EpisodeInput, Soundbite } from "#worker/episodes/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Seconds. Files and editors round differently. */
const TOLERANCE = 1;

type Timed = Pick<EpisodeInput, "chapters" | "soundbites">;

const invalid = (field: string, message: string) => new AppError("invalid", message, { field });

/**
 * Refuses chapters and soundbites beyond the episode's end, and two chapters at one time. `lasts` is its length in
 * seconds, 0 while it is unknown.
 * @throws `invalid`
 */
export function requireTimesWithin(lasts: number, { chapters, soundbites }: Timed) {
  const end = lasts > 0 ? lasts + TOLERANCE : Infinity;
  const late = chapters.findIndex(({ start }) => start >= end);
  if (late >= 0) {
    const { title, start } = chapters[late]!;
    const message = `“${title}” starts at ${clock(start)}, and the episode ends at ${clock(lasts)}.`;
    throw invalid(`chapters.${late}.start`, message);
  }
  const sorted = chapters.toSorted(byStart);
  const same = sorted.findIndex(({ start }, index) => start === sorted[index - 1]?.start);
  if (same > 0) {
    const [first, second] = sorted.slice(same - 1, same + 1) as [Chapter, Chapter];
    throw invalid("chapters", `“${first.title}” and “${second.title}” both start at ${clock(first.start)}.`);
  }
  const long = soundbites.findIndex(({ start, duration }) => start + duration > end);
  if (long >= 0) {
    const { start, duration } = soundbites[long]!;
    const message = `The soundbite at ${clock(start)} ends at ${clock(start + duration)}, and the episode at ${clock(lasts)}.`;
    throw invalid(`soundbites.${long}.duration`, message);
  }
}

export const byStart = (a: Chapter | Soundbite, b: Chapter | Soundbite) => a.start - b.start;

/** As the form takes it: 1:15 or 1:02:03. */
function clock(seconds: number) {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}:${two(minutes % 60)}` : minutes}:${two(whole % 60)}`;
}
