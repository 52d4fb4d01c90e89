import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { AppError } from "#worker/platform/errors.ts";

/** D1 has not answered: it is overloaded, or cannot be reached. Errors that the same call meets again are others. */
export class DatabaseUnavailable extends Error {}

/** D1's and SQLite's words for a database, or an account's storage, without room (/d1/observability/debug-d1). */
const FULL = /exceeded maximum DB size|maximum account storage limit|SQLITE_FULL/i;

/**
 * The errors of D1 that a retry meets again (developers.cloudflare.com/d1/observability/debug-d1): of the statement,
 * such as "D1_ERROR: no such table: x: SQLITE_ERROR", of its size, of the invocation's limits, and of a full database.
 */
const LASTING = [
  /\bSQLITE_/,
  /\bD1_(?:TYPE_ERROR|COLUMN_NOTFOUND|EXEC_ERROR)\b/,
  /No SQL statements detected/i,
  /exceeded its (?:memory|CPU time) limit/i,
  /too many (?:API requests by single Worker invocation|subrequests)/i,
  FULL,
];

/** D1's error, as a `DatabaseUnavailable` if it is an outage. */
export const failureOf = (error: unknown) =>
  LASTING.some((words) => words.test(String(error)))
    ? error
    : new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });

/** Drizzle's error has D1's as its cause. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof Error && isUnavailable(error.cause));

const isFull = (error: unknown): boolean =>
  error instanceof Error && (FULL.test(error.message) || isFull(error.cause));

type Cause = {
  /** Whether the request changes nothing. */
  isReading: boolean;
};

/**
 * The error for a person: itself, that of a day whose rows are used up, or that of a database which is full or does not
 * answer; null for a bug.
 */
export function errorForPeople(error: unknown, { isReading }: Cause) {
  if (error instanceof AppError) return error;
  if (isOverDailyLimit(error)) {
    const retryAfter = Math.ceil(untilNextDay(new Date()) / 1000);
    return new AppError("unavailable", isReading ? NOT_SHOWN : NOT_SAVED, { retryAfter });
  }
  if (isFull(error)) return new AppError("full", FULL_DATABASE);
  return isUnavailable(error) ? new AppError("unavailable", NO_ANSWER, { retryAfter: RETRY_AFTER }) : null;
}

const NOT_SHOWN =
  "This site has reached its limit for today, so it can’t show this. Please try again after midnight UTC.";
const NOT_SAVED =
  "This site has reached its limit for today, so this didn’t work and nothing was saved. Please try again after midnight UTC.";
const FULL_DATABASE =
  "This site’s database is full, so this didn’t work. Its owner can delete what isn’t needed, or move to a larger plan.";
const NO_ANSWER = "This site’s database isn’t answering right now. Please try again in a few minutes.";
/** Seconds. */
export const RETRY_AFTER = 120;
