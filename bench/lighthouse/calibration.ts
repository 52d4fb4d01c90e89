/**
 * How much slower than this machine Lighthouse's phone is. Its default of 4 is only right for a fast desktop; here the
 * machine is measured first, and the multiplier is derived from its benchmark index, so that the phone is the same
 * everywhere (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown).
 * Between these values the multiplier is interpolated, as in the calculator that is linked there.
 */
const KNOWN = [
  { index: 150, multiplier: 1 },
  { index: 800, multiplier: 2 },
  { index: 1300, multiplier: 3 },
  { index: 2000, multiplier: 6 },
];

/** Throws if the machine is slower than the phone. */
export function multiplierOf(index: number) {
  const above = KNOWN.findIndex((known) => index < known.index);
  if (above === 0) throw new Error(`This machine is too slow to stand for a phone: its index is ${index}.`);
  const [from, to] = KNOWN.slice(above === -1 ? -2 : above - 1);
  if (!from || !to) throw new Error("There are always two.");
  const share = (index - from.index) / (to.index - from.index);
  return from.multiplier + share * (to.multiplier - from.multiplier);
}
