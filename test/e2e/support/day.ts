import { setTimeout } from "node:timers/promises";
import { dayAt, firstQuarterOf, QUARTER_MS } from "../../../worker/analytics/days.ts";
import { siteDefaults } from "../../../worker/settings/contract.ts";

/** Milliseconds; less than a hook may take. */
const LONG = 480_000;

/** Waits for the next day of the owner, or of UTC, if this one ends soon: figures are by day. */
export async function untilDayIsLong() {
  const now = Date.now();
  for (const zone of [siteDefaults.timeZone, "UTC"]) {
    const left = firstQuarterOf(dayAt(now, zone) + 1, zone) * QUARTER_MS - now;
    if (left < LONG) await setTimeout(left);
  }
}
