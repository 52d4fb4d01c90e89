import { dayIn } from "#worker/platform/time/day.ts";

export const DAY_MS = 86_400_000;
export const QUARTER_MS = 900_000;
export const QUARTERS_OF_DAY = 96;

/** The number of a UTC day since 1 January 1970. */
export const dayOf = (time: Date | number) => Math.floor(Number(time) / DAY_MS);

/** The number of a quarter of an hour since 1 January 1970, UTC. Days of all time zones begin at a quarter. */
export const quarterOf = (time: Date | number) => Math.floor(Number(time) / QUARTER_MS);

/** As yyyy-mm-dd. */
export const isoDay = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const dayOfIso = (iso: string) => dayOf(Date.parse(iso));

/** The number of the date in a time zone: that of the UTC day with the same date. */
export const dayAt = (time: Date | number, timeZone: string) => dayOfIso(dayIn(timeZone, new Date(time)));

/** The first quarter of a day in a time zone. A day has 92 or 100 of them where clocks change. `likely` is tried first. */
export function firstQuarterOf(day: number, timeZone: string, likely?: number) {
  const isReached = (quarter: number) => dayAt(quarter * QUARTER_MS, timeZone) >= day;
  if (likely !== undefined && isReached(likely) && !isReached(likely - 1)) return likely;
  // Time zones are at most 14 hours ahead of UTC and 12 hours behind it.
  let [early, late] = [day * QUARTERS_OF_DAY - 60, day * QUARTERS_OF_DAY + 52];
  while (early < late) {
    const middle = Math.floor((early + late) / 2);
    if (isReached(middle)) late = middle;
    else early = middle + 1;
  }
  return early;
}

/** Lengths of the roll-up spans in days, besides all time; each divides the one before. */
export const SPAN_DAYS = [30, 5, 1] as const;

export type Span = { span: number; from: number; to: number };

/** A period as the fewest spans: blocks of 30 days, and at its ends blocks of five days and single days. */
export function spansOf(from: number, to: number, [span, ...smaller]: readonly number[] = SPAN_DAYS): Span[] {
  if (from > to || span === undefined) return [];
  const first = Math.ceil(from / span) * span;
  const end = Math.floor((to + 1) / span) * span;
  if (end <= first) return spansOf(from, to, smaller);
  return [
    ...spansOf(from, first - 1, smaller),
    { span, from: first, to: end - span },
    ...spansOf(end, to, smaller),
  ];
}
