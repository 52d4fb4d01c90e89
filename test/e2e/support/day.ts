import { setTimeout } from "node:timers/promises";

const DAY = 86_400_000;
/** Milliseconds; less than a hook may take. */
const LONG = 480_000;

/** Waits for the next day of UTC where this one ends soon: figures are those of days. */
export async function untilDayIsLong() {
  const left = DAY - (Date.now() % DAY);
  if (left < LONG) await setTimeout(left);
}
