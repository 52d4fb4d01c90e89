import { describe, expect, it } from "vitest";
import { counted, formatDuration, formatTime } from "#site/ui/format.ts";

it.each([
  [0, "0 likes"],
  [1, "1 like"],
  [1204, "1,204 likes"],
])("%d of something reads %s", (number, text) => {
  expect(counted(number, "like")).toBe(text);
});

describe("time", () => {
  it.each([
    [0, "0:00"],
    [61.9, "1:01"],
    [599, "9:59"],
    [3599, "59:59"],
    [3600, "1:00:00"],
    [36_061, "10:01:01"],
  ])("reads %d seconds as %s in the player", (seconds, text) => {
    expect(formatTime(seconds)).toBe(text);
  });

  it.each([
    [20, "1m"],
    [45 * 60, "45m"],
    [59 * 60 + 29, "59m"],
    [3600, "1h 0m"],
    [90 * 60, "1h 30m"],
  ])("reads %d seconds as %s in a list", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
