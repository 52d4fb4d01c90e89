import { describe, expect, test } from "vitest";
import { DatabaseUnavailable, errorForPeople, failureOf } from "#worker/platform/data/unavailable.ts";

const errorOf = (message: string) => {
  const failure = failureOf(new Error(message));
  // As drizzle throws it.
  return errorForPeople(new Error("Failed query", { cause: failure }), { isReading: false });
};

describe("an error of D1", () => {
  test.each([
    "D1_ERROR: D1 DB reset because its code was updated.",
    "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
    "D1_ERROR: Network connection lost.",
    "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
    "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
    "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
    "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
    "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
    "D1_ERROR: internal error; reference = 0123456789",
  ])("is an outage that the sender waits for: %s", (message) => {
    expect(failureOf(new Error(message))).toBeInstanceOf(DatabaseUnavailable);
    expect(errorOf(message)).toMatchObject({ code: "unavailable", status: 503, retryAfter: 120 });
  });

  test.each([
    "D1_ERROR: no such table: x: SQLITE_ERROR",
    "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
    "D1_ERROR: No SQL statements detected.",
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
    "Too many API requests by single Worker invocation.",
    "Too many subrequests.",
  ])("is a fault of the site, which a retry meets again: %s", (message) => {
    expect(failureOf(new Error(message))).not.toBeInstanceOf(DatabaseUnavailable);
    expect(errorOf(message)).toBeNull();
  });

  test.each([
    "D1_ERROR: Exceeded maximum DB size.",
    "D1_ERROR: Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit.",
    "D1_ERROR: database or disk is full: SQLITE_FULL",
  ])("has its own message if the database is full: %s", (message) => {
    expect(errorOf(message)).toMatchObject({
      code: "full",
      status: 507,
      retryAfter: undefined,
      message:
        "This site’s database is full, so this didn’t work. Its owner can delete what isn’t needed, or move to a larger plan.",
    });
  });
});
