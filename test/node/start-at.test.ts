import { describe, expect, test } from "vitest";
import { momentIn, startOf, startWithin } from "#worker/episodes/start-at.ts";

describe("startOf", () => {
  // https://www.w3.org/TR/media-frags/#naming-time
  test.each([
    ["10", 10],
    ["15.5", 15.5],
    ["npt:10,20", 10],
    ["10,20", 10],
    [",20", 0],
    ["0:15", 15],
    ["02:00", 120],
    ["0:02:00.25", 120.25],
    ["1:02:03", 3723],
  ])("reads %s, a media fragment, as %d seconds", (text, seconds) => expect(startOf(text)).toBe(seconds));

  test.each([
    ["15s", 15],
    ["0m15s", 15],
    ["10m15s", 615],
    ["10m", 600],
    ["1h2m3s", 3723],
    ["1h", 3600],
    ["1H2M3S", 3723],
    ["90.5s", 90.5],
  ])("reads %s, as YouTube writes it, as %d seconds", (text, seconds) => expect(startOf(text)).toBe(seconds));

  test.each([
    ["15.", 15],
    ["0:15)", 15],
    [" 10m 15s ", 615],
    ["90:00", 5400],
  ])("reads %j, with what a sentence or a person adds, as %d seconds", (text, seconds) =>
    expect(startOf(text)).toBe(seconds),
  );

  test.each([null, "", "soon", "-5", "1e3", "Infinity", "1:75", "1:2:3", "0x10", "3m2h", "99999999999"])(
    "takes %j for the beginning",
    (text) => expect(startOf(text)).toBe(0),
  );
});

test.each([
  ["?t=15&start=90", "15"],
  ["?start=90", "90"],
  ["?begin=90", null],
])("the moment in %s is %s", (query, moment) => expect(momentIn(new URLSearchParams(query))).toBe(moment));

test("a start after the end of an episode of known length is its beginning", () => {
  expect([startWithin(60, "1m"), startWithin(60, "61"), startWithin(0, "61")]).toEqual([60, 0, 61]);
});
