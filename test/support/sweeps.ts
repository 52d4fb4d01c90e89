import { test } from "vitest";

/**
 * A sweep tries one rule with many inputs: `npm run test:full` with all of them (decision 0078), `npm test` with a few.
 * In workerd the variable is a binding, which `process.env` has, too.
 */
export const sweepsAll = process.env["SWEEPS"] === "all";

/** A test of which `npm test` runs a smaller one. */
export const fullTest = test.runIf(sweepsAll);

/** All inputs for `npm run test:full`; else `count` of them, evenly spread from the first to the last. */
export function someOf<T>(inputs: T[], count: number): T[] {
  if (sweepsAll || inputs.length <= count) return inputs;
  const step = (inputs.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, at) => inputs[Math.round(at * step)]!);
}
