import type { Chapter, Cue, EpisodeInput, Soundbite } from "#worker/episodes/contract.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Seconds. Files and editors round differently. */
const TOLERANCE = 1;

/** Seconds from which on nothing may begin; `lasts` is 0 while the length is unknown. */
export const endOf = (lasts: number) => (lasts > 0 ? lasts + TOLERANCE : Infinity);

type Timed = Pick<EpisodeInput, "chapters" | "soundbites">;

const invalid = (field: string, message: string) => new AppError("invalid", message, { field });

/**
 * Refuses chapters and soundbites beyond the episode's end, and two chapters at one time. `lasts` is its length in
 * seconds, 0 while it is unknown.
 * @throws `invalid`
 */
export function requireTimesWithin(lasts: number, { chapters, soundbites }: Timed) {
  const end = endOf(lasts);
  const late = chapters.findIndex(({ start }) => start >= end);
  if (late >= 0) {
    const { title, start } = chapters[late]!;
    const message = `“${title}” starts at ${clock(start)}, but the episode ends at ${clock(lasts)}.`;
    throw invalid(`chapters.${late}.start`, message);
  }
  const sorted = chapters.toSorted(byStart);
  const same = sorted.findIndex(({ start }, index) => start === sorted[index - 1]?.start);
  if (same > 0) {
    const [first, second] = sorted.slice(same - 1, same + 1) as [Chapter, Chapter];
    throw invalid("chapters", `“${first.title}” and “${second.title}” both start at ${clock(first.start)}.`);
  }
  const reversed = chapters.findIndex((chapter) => chapter.end !== undefined && chapter.end <= chapter.start);
  if (reversed >= 0) throw invalid(`chapters.${reversed}.end`, "The chapter ends before it starts.");
  const beyond = chapters.findIndex((chapter) => (chapter.end ?? 0) > end);
  if (beyond >= 0) {
    const message = `“${chapters[beyond]!.title}” ends at ${clock(chapters[beyond]!.end!)}, but the episode ends at ${clock(lasts)}.`;
    throw invalid(`chapters.${beyond}.end`, message);
  }
  const long = soundbites.findIndex(({ start, duration }) => start + duration > end);
  if (long >= 0) {
    const { start, duration } = soundbites[long]!;
    const message = `The soundbite at ${clock(start)} ends at ${clock(start + duration)}, but the episode ends at ${clock(lasts)}.`;
    throw invalid(`soundbites.${long}.duration`, message);
  }
}

type Spoken = Pick<Cue, "start" | "text">;

/** Names the first of `cues`, which are in order, that is said after the recording's end; null for none. */
export function lateCueInWords(lasts: number, cues: Spoken[]) {
  const late = cues.find(({ start }) => start >= endOf(lasts));
  if (!late) return null;
  const words = beginningOf(late.text, WORDS);
  return `“${words}” starts at ${clock(late.start)}, but the recording ends at ${clock(lasts)}. Is this transcript for another recording?`;
}

/**
 * Refuses a transcript of which something is said after the recording's end, as where the recording was replaced by a shorter
 * one. The last cue may end later.
 * @throws `invalid`
 */
export function requireCuesWithin(lasts: number, cues: Spoken[]) {
  const message = lateCueInWords(lasts, cues);
  if (message !== null) throw invalid("transcript", message);
}

/** Characters of what is said, by which a cue is found. */
const WORDS = 60;

export const byStart = (a: Chapter | Soundbite, b: Chapter | Soundbite) => a.start - b.start;

/** As the form takes it: 1:15 or 1:02:03. */
function clock(seconds: number) {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}:${two(minutes % 60)}` : minutes}:${two(whole % 60)}`;
}
