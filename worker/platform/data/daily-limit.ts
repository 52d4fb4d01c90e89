import { AppError } from "#worker/platform/errors.ts";

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

type Cause = {
  /** Whether the request changes nothing. */
  isReading: boolean;
};

/** The error for a person: itself, or that of a day whose rows are used up; null for a bug. */
export function errorForPeople(error: unknown, { isReading }: Cause) {
  if (error instanceof AppError) return error;
  if (!isOverDailyLimit(error)) return null;
  const retryAfter = Math.ceil(untilNextDay(new Date()) / 1000);
  return new AppError("unavailable", isReading ? NOT_SHOWN : NOT_SAVED, { retryAfter });
}

const NOT_SHOWN =
  "This site has reached its limit for today, so it can’t show this. Please try again after midnight UTC.";
const NOT_SAVED =
  "This site has reached its limit for today, so this didn’t work and nothing was saved. Please try again after midnight UTC.";
