import type { EpisodeReport } from "#worker/analytics/contract.ts";

/** Where listeners stop, computed from their last positions. */

/** At the beginning of a step of the audio. */
export type Step = {
  second: number;
  /** Percent of those who began; null if none did. */
  listening: number | null;
  /** Listeners who stopped within the step, before the end. */
  stopped: number;
};

export type Part = { start: number; title: string | null; listening: number | null; stopped: number };

export type Listening = {
  steps: Step[];
  /** The chapters, or parts of five minutes. */
  parts: Part[];
  listeners: number;
  /** Listeners who reached the last step. */
  finished: number;
};

/** Seconds of a part of an episode without chapters. */
const PART = 300;

type Given = Pick<EpisodeReport, "stops" | "step" | "durationSeconds" | "chapters">;

export function listeningOf({ stops, step, durationSeconds, chapters }: Given): Listening {
  const end = Math.max(durationSeconds, ...stops.map(({ second }) => second + 1), 1);
  const lastStep = Math.floor((end - 1) / step) * step;
  const listeners = stops.reduce((sum, stop) => sum + stop.listeners, 0);
  const stoppedAt = new Map(stops.map((stop) => [stop.second, stop.listeners]));
  const finished = stops.reduce((sum, stop) => sum + (stop.second >= lastStep ? stop.listeners : 0), 0);
  const steps: Step[] = [];
  let left = listeners;
  for (let second = 0; second <= lastStep; second += step) {
    const stopped = second === lastStep ? 0 : (stoppedAt.get(second) ?? 0);
    steps.push({ second, listening: listeners === 0 ? null : Math.round((left / listeners) * 100), stopped });
    left -= stopped;
  }
  return { steps, parts: partsOf(steps, chapters, end), listeners, finished };
}

function partsOf(steps: Step[], chapters: Given["chapters"], end: number): Part[] {
  const starts: { start: number; title: string | null }[] =
    chapters.length > 0
      ? chapters.toSorted((a, b) => a.start - b.start)
      : Array.from({ length: Math.ceil(end / PART) }, (_, at) => ({ start: at * PART, title: null }));
  if (starts[0] && starts[0].start > 0) starts.unshift({ start: 0, title: null });
  return starts.map(({ start, title }, at) => {
    // A step belongs to the part in which it begins; the first of a part may have begun before.
    const within = steps.filter(
      ({ second }) => second >= start && second < (starts[at + 1]?.start ?? Infinity),
    );
    const first = within[0] ?? steps.findLast(({ second }) => second <= start);
    return {
      start,
      title,
      listening: first?.listening ?? null,
      stopped: within.reduce((sum, { stopped }) => sum + stopped, 0),
    };
  });
}

/** The part that a second is in. */
export const partAt = (parts: Part[], second: number) => parts.findLast(({ start }) => start <= second);
