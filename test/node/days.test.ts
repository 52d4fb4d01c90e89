import { expect, test } from "vitest";
import { dayAt, dayOf, firstQuarterOf, isoDay, QUARTER_MS } from "#worker/analytics/days.ts";

const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];
const FIRST = dayOf(Date.parse("2026-01-01"));

/** In the first four, clocks change at midnight, or by half an hour. */
const ofEachDay = [
  "America/Santiago",
  "Africa/Cairo",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Australia/Adelaide",
  "America/New_York",
  "Pacific/Chatham",
  "Asia/Kathmandu",
];

test("days begin when Temporal says, and with a quarter of an hour", () => {
  const expectStart = (day: number, zone: string) => {
    const start = Temporal.PlainDate.from(isoDay(day)).toZonedDateTime(zone).epochMilliseconds;
    expect(firstQuarterOf(day, zone) * QUARTER_MS, `${zone} ${isoDay(day)}`).toBe(start);
  };
  for (const zone of ofEachDay) for (let day = FIRST; day < FIRST + 365; day++) expectStart(day, zone);
  for (const zone of zones) for (let day = FIRST; day < FIRST + 365; day += 61) expectStart(day, zone);
});

test("a moment is of the day that Temporal says, in all time zones", () => {
  for (const zone of zones) {
    for (let half = 0; half < 48; half += 3) {
      const time = Date.parse("2026-10-03T23:59:59.999Z") + half * 1_800_000;
      const day = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate();
      expect(isoDay(dayAt(time, zone)), `${zone} ${time}`).toBe(day.toString());
    }
  }
});
