import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { AppError } from "#worker/platform/errors.ts";

/** D1 has not answered: it is overloaded, or cannot be reached. Errors of a statement are others. */
export class DatabaseUnavailable extends Error {}

/** A statement's own error, such as "D1_ERROR: no such table: x: SQLITE_ERROR". */
const OF_STATEMENT = /\bSQLITE_/;

/** D1's error, as a `DatabaseUnavailable` unless it is about the statement. */
export const failureOf = (error: unknown) =>
  OF_STATEMENT.test(String(error))
    ? error
    : new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });

/** Drizzle's error has D1's as its cause. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error instanceof Error && isUnavailable(error.cause));

type Cause = {
  /** Whether the request changes nothing. */
  isReading: boolean;
};

/**
 * The error for a person: itself, that of a day whose rows are used up, or that of a database which does not answer;
 * null for a bug.
 */
export function errorForPeople(error: unknown, { isReading }: Cause) {
  if (error instanceof AppError) return error;
  if (isOverDailyLimit(error)) {
    const retryAfter = Math.ceil(untilNextDay(new Date()) / 1000);
    return new AppError("unavailable", isReading ? NOT_SHOWN : NOT_SAVED, { retryAfter });
  }
  return isUnavailable(error) ? new AppError("unavailable", NO_ANSWER, { retryAfter: RETRY_AFTER }) : null;
}

const NOT_SHOWN =
  "This site has reached its limit for today, so it can’t show this. Please try again after midnight UTC.";
const NOT_SAVED =
  "This site has reached its limit for today, so this didn’t work and nothing was saved. Please try again after midnight UTC.";
const NO_ANSWER = "This site’s database isn’t answering right now. Please try again in a few minutes.";
/** Seconds. */
export const RETRY_AFTER = 120;
