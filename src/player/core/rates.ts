import type { Playback } from "./playback.ts";

/** Playback rates; 1 is normal. */
export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];

const distance = (from: number) => (rate: number) => Math.abs(rate - from);

export const nearestRate = (rate: number) =>
  rates.toSorted((one, other) => distance(rate)(one) - distance(rate)(other))[0] ?? 1;

/** The next faster rate, or with -1 the next slower one. */
export function stepRate(playback: Playback, by: 1 | -1): Playback {
  const rate = rates[rates.indexOf(nearestRate(playback.rate)) + by];
  return rate === undefined ? playback : { ...playback, rate };
}

export const rateLabel = (rate: number) => `${rate}×`;
