import { describe, expect, test } from "vitest";
import { lastTime, nextTime, type Schedule } from "#worker/automatic-letters/schedule.ts";

/** The expected times are those of Python's zoneinfo. */

const SYDNEY = "Australia/Sydney";
const HOUR = 3_600_000;

const schedule = (values: Partial<Schedule>): Schedule => ({
  frequency: "daily",
  weekday: 1,
  monthday: 1,
  hour: 9,
  ...values,
});

const iso = (at: number) => new Date(at).toISOString().slice(0, 16);

/** The next times from a time on. */
function timesFrom(from: string, values: Partial<Schedule>, count: number, timeZone = SYDNEY) {
  const times: string[] = [];
  for (let at = Date.parse(`${from}Z`); times.length < count;) {
    at = nextTime(schedule(values), timeZone, at);
    times.push(iso(at));
  }
  return times;
}

describe("the times of a digest", () => {
  test("of each day keep their hour when clocks change", () => {
    expect(timesFrom("2026-10-02T22:00", {}, 3)).toEqual([
      "2026-10-02T23:00",
      "2026-10-03T22:00",
      "2026-10-04T22:00",
    ]);
    expect(timesFrom("2027-04-02T21:00", {}, 3)).toEqual([
      "2027-04-02T22:00",
      "2027-04-03T23:00",
      "2027-04-04T23:00",
    ]);
  });

  test("are an hour later when clocks skip the hour, and the first of two when it occurs twice", () => {
    expect(timesFrom("2026-10-03T00:00", { hour: 2 }, 2)).toEqual(["2026-10-03T16:00", "2026-10-04T15:00"]);
    expect(timesFrom("2027-04-03T00:00", { hour: 2 }, 2)).toEqual(["2027-04-03T15:00", "2027-04-04T16:00"]);
  });

  test("of a month on the 31st are on the last day of shorter months", () => {
    expect(timesFrom("2026-12-31T00:00", { frequency: "monthly", monthday: 31 }, 4)).toEqual([
      "2027-01-30T22:00",
      "2027-02-27T22:00",
      "2027-03-30T22:00",
      "2027-04-29T23:00",
    ]);
    expect(timesFrom("2028-02-01T00:00", { frequency: "monthly", monthday: 30 }, 1)).toEqual([
      "2028-02-28T22:00",
    ]);
  });

  test("of a week are on its day in the time zone", () => {
    // A Monday in Sydney, and still Sunday in UTC.
    expect(timesFrom("2026-06-10T00:00", { frequency: "weekly" }, 2)).toEqual([
      "2026-06-14T23:00",
      "2026-06-21T23:00",
    ]);
  });

  test.each([
    ["Australia/Sydney", {}, 365],
    ["Australia/Sydney", { hour: 2 }, 365],
    ["Australia/Lord_Howe", { hour: 2 }, 365],
    ["America/St_Johns", { hour: 0 }, 365],
    ["Pacific/Kiritimati", { frequency: "weekly" as const, weekday: 7 }, 52],
    ["America/New_York", { frequency: "monthly" as const, monthday: 31, hour: 2 }, 12],
  ])("in %s with %o occur once a period, whenever the tick runs", (timeZone, values, periods) => {
    const from = Date.parse("2026-07-01T12:00Z");
    const seen = new Set<number>();
    for (let at = from; at < from + 365 * 24 * HOUR; at += HOUR / 2) {
      const last = lastTime(schedule(values), timeZone, at);
      expect(last).toBeLessThanOrEqual(at);
      seen.add(last);
      expect(nextTime(schedule(values), timeZone, at)).toBeGreaterThan(at);
    }
    // The one before the first of the year, too.
    expect([periods, periods + 1]).toContain(seen.size);
    const days = [...seen].map((at) => new Date(at).toLocaleDateString("sv-SE", { timeZone }));
    expect(new Set(days).size).toBe(seen.size);
  });
});
