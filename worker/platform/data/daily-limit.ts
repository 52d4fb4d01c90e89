/**
 * What D1 says on the free plan once the day's rows are used up, of reads and of writes
 * (developers.cloudflare.com/changelog, 1 September 2026). It refuses every statement until midnight UTC.
 */
const REFUSAL = /exceeded D1.s free tier daily row (?:read|write) limit/i;

const DAY_MS = 86_400_000;
/** Milliseconds over which work that waits for midnight spreads. */
const SPREAD_MS = 10 * 60_000;

/** Whether D1 refused a statement because the day's rows are used up. Drizzle's error has D1's as its cause. */
export function isOverDailyLimit(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return REFUSAL.test(error.message) || isOverDailyLimit(error.cause);
}

/** Milliseconds until some time in the first minutes of the next day (UTC). */
export const untilNextDay = (now: Date) =>
  DAY_MS - (now.getTime() % DAY_MS) + Math.floor(Math.random() * SPREAD_MS);
