import type { MAX_READING_SECONDS, SCROLL_MILESTONES, TIME_MILESTONES } from "#worker/analytics/contract.ts";

const DEPTHS: typeof SCROLL_MILESTONES = [25, 50, 75, 90];
/** Seconds. */
const TIMES: typeof TIME_MILESTONES = [30, 60, 300];
/** Maximum seconds per event. */
const LONGEST: typeof MAX_READING_SECONDS = 1800;
/** Seconds; a shorter visit is not reading. */
const LOOK = 5;

/** Measures how long a page was visible and how far it was scrolled. `clock` returns milliseconds. */
export function createReading(clock: () => number) {
  let milliseconds = 0;
  let since: number | null = null;
  let reported = 0;
  let deepest = 0;
  const times: number[] = [...TIMES];
  const depths: number[] = [...DEPTHS];
  const seconds = () => (milliseconds + (since === null ? 0 : clock() - since)) / 1000;
  const reached = <T extends number>(milestones: number[], value: number) =>
    milestones.splice(0, milestones.filter((milestone) => milestone <= value).length) as T[];
  return {
    start(at = clock()) {
      since ??= at;
    },
    stop() {
      if (since !== null) milliseconds += clock() - since;
      since = null;
    },
    /** Maximum percentage scrolled. */
    get depth() {
      return deepest;
    },
    /**
     * Whole seconds since the last call, split to fit into events; none for a short look. Each part is shorter than the
     * one before, since the server drops duplicate events.
     */
    takeSeconds() {
      const whole = seconds() > LOOK ? Math.floor(seconds()) : reported;
      const parts: number[] = [];
      for (let most: number = LONGEST; reported < whole; reported += most--)
        parts.push(Math.min(most, whole - reported));
      reported = whole;
      return parts;
    },
    /** Time milestones reached since the last call. */
    takeTimes: () => reached<(typeof TIMES)[number]>(times, seconds()),
    /** Milliseconds of visibility until the next milestone, zero or less if reached; undefined after the last. */
    untilTime: () => times[0] && (times[0] - seconds()) * 1000,
    /** Depth milestones newly reached with this percentage. */
    takeDepths(percent: number) {
      deepest = Math.max(deepest, percent);
      return reached<(typeof DEPTHS)[number]>(depths, percent);
    },
  };
}

/** Percentage scrolled down a page, from pixels. 0 for a page that fits the window. */
export function depthOf({ top, height, window }: Record<"top" | "height" | "window", number>) {
  const way = height - window;
  return way > 0 ? Math.min(100, Math.max(0, Math.round((top / way) * 100))) : 0;
}
