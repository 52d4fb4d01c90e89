import type { MAX_READING_SECONDS, SCROLL_MILESTONES, TIME_MILESTONES } from "#worker/analytics/contract.ts";

const DEPTHS: typeof SCROLL_MILESTONES = [25, 50, 75, 90];
/** Seconds. */
const TIMES: typeof TIME_MILESTONES = [30, 60, 300];
/** Seconds of one event. */
const LONGEST: typeof MAX_READING_SECONDS = 1800;
/** Seconds; a shorter look is no reading. */
const LOOK = 5;

/** How long a page was visible and how far somebody came in it. `clock` gives milliseconds. */
export function createReading(clock: () => number) {
  let milliseconds = 0;
  let since: number | null = null;
  let told = 0;
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
    /** Percent that was scrolled at most. */
    get depth() {
      return deepest;
    },
    /**
     * Whole seconds since they were last taken, in parts that one event may tell of; none of a mere look. Each part is
     * shorter than the one before: of events that are alike the server counts one.
     */
    takeSeconds() {
      const whole = seconds() > LOOK ? Math.floor(seconds()) : told;
      const parts: number[] = [];
      for (let most: number = LONGEST; told < whole; told += most--) parts.push(Math.min(most, whole - told));
      told = whole;
      return parts;
    },
    /** Milestones of time that were reached since they were last taken. */
    takeTimes: () => reached<(typeof TIMES)[number]>(times, seconds()),
    /**
     * Milliseconds that the page must be visible until the next of them, none or fewer where it is reached; undefined after
     * the last.
     */
    untilTime: () => times[0] && (times[0] - seconds()) * 1000,
    /** Milestones of depth that are reached with this percentage. */
    takeDepths(percent: number) {
      deepest = Math.max(deepest, percent);
      return reached<(typeof DEPTHS)[number]>(depths, percent);
    },
  };
}

/** Percent of the way down a page, in pixels. A page that fits the window has no way. */
export function depthOf({ top, height, window }: Record<"top" | "height" | "window", number>) {
  const way = height - window;
  return way > 0 ? Math.min(100, Math.max(0, Math.round((top / way) * 100))) : 0;
}
