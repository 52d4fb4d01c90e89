import { grouped } from "#site/ui/format.ts";
import type { Figure } from "#worker/analytics/contract.ts";

export type Unit = "count" | "seconds" | "percent";

export type Trend = { way: "up" | "down" | "same"; words: string };

/** A figure's change since the previous period of equal length; null without data to compare. */
export function trendOf({ value, before }: Figure, unit: Unit, days: number): Trend | null {
  if (value === null || before === null) return null;
  const since = days === 1 ? "on the day before" : `in the ${days} days before`;
  if (value === before) return { way: "same", words: `The same as ${since}` };
  const way = value > before ? "up" : "down";
  return {
    way,
    words: `${differenceOf(value, before, unit)} ${way === "up" ? "more" : "less"} than ${since}`,
  };
}

function differenceOf(value: number, before: number, unit: Unit) {
  const difference = Math.abs(value - before);
  if (unit === "seconds") return plural(difference, "second");
  if (unit === "percent") return plural(difference, "point");
  // No percentage of zero.
  if (before === 0) return grouped(difference);
  const percent = Math.round((difference / before) * 100);
  return percent === 0 ? "Under 1%" : `${grouped(percent)}%`;
}

const plural = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

export const MISSING = "n/a";

/** Formats a figure; a missing value is not zero. */
export function figureText(value: number | null, unit: Unit) {
  if (value === null) return MISSING;
  if (unit === "percent") return `${value}%`;
  return unit === "seconds" ? `${grouped(value)} s` : grouped(value);
}
