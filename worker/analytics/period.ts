import type { AnalyticsQuery, Period } from "#worker/analytics/contract.ts";
import { AppError } from "#worker/platform/errors.ts";
import { dayOfIso, firstQuarterOf, isoDay, QUARTER_MS, spansOf } from "#worker/analytics/days.ts";

/** The owner’s days by their numbers, both inclusive. */
export type Days = { from: number; to: number };

const DEFAULT_DAYS = 30;

/**
 * The days of a query, and as many before them. The last day is today at the latest.
 * @throws `invalid` for a period in the future
 */
export function daysOf({ days, from, to }: AnalyticsQuery, today: number): { period: Days; before: Days } {
  const last = to === undefined ? today : Math.min(today, dayOfIso(to));
  const first = from === undefined ? last - Number(days ?? DEFAULT_DAYS) + 1 : dayOfIso(from);
  if (first > last) throw new AppError("invalid", "That day hasn’t started yet.", { field: "from" });
  return { period: { from: first, to: last }, before: { from: first - (last - first + 1), to: first - 1 } };
}

export const toPeriod = ({ from, to }: Days): Period => ({
  from: isoDay(from),
  to: isoDay(to),
  days: to - from + 1,
});

export const isWithin = (day: number, { from, to }: Days) => day >= from && day <= to;

/** From the start of a period to the start of the day after it. */
export const toTimes = ({ from, to }: Days, timeZone: string) => ({
  from: new Date(firstQuarterOf(from, timeZone) * QUARTER_MS),
  to: new Date(firstQuarterOf(to + 1, timeZone) * QUARTER_MS),
});

/** The spans of a period as JSON, for one parameter of a statement. */
export const rangesOf = ({ from, to }: Days) =>
  JSON.stringify(spansOf(from, to).map((range) => [range.span, range.from, range.to]));
