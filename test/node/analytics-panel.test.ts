import { describe, expect, it, test } from "vitest";
import { actionsOf, titleOf } from "../../src/admin/analytics/content-titles.ts";
import { askedPeriodOf, checkPeriod, periodParams } from "../../src/admin/analytics/query.ts";
import { listeningOf, partAt } from "../../src/admin/analytics/stops.ts";
import { figureText, trendOf } from "../../src/admin/analytics/trend.ts";

describe("a trend", () => {
  test.each([
    [{ value: 120, before: 100 }, "count", 30, "up", "20% more than in the 30 days before"],
    [{ value: 50, before: 100 }, "count", 7, "down", "50% less than in the 7 days before"],
    [{ value: 1001, before: 1000 }, "count", 7, "up", "Under 1% more than in the 7 days before"],
    [{ value: 12, before: 0 }, "count", 1, "up", "12 more than on the day before"],
    [{ value: 61, before: 60 }, "seconds", 90, "up", "1 second more than in the 90 days before"],
    [{ value: 40, before: 55 }, "percent", 7, "down", "15 points less than in the 7 days before"],
    [{ value: 0, before: 0 }, "percent", 7, "same", "The same as in the 7 days before"],
  ] as const)("%o in %s of %i days is %s", (figure, unit, days, way, words) => {
    expect(trendOf(figure, unit, days)).toEqual({ way, words });
  });

  it("is none without a previous value", () => {
    expect(trendOf({ value: 5, before: null }, "count", 7)).toBeNull();
    expect(trendOf({ value: null, before: 5 }, "count", 7)).toBeNull();
  });
});

test("a figure that was not measured is not zero", () => {
  expect([null, 0, 1234].map((value) => figureText(value, "count"))).toEqual(["n/a", "0", "1,234"]);
  expect(figureText(95, "seconds")).toBe("95 s");
  expect(figureText(0, "percent")).toBe("0%");
});

describe("a period in the address", () => {
  const check = (search: string) => checkPeriod(askedPeriodOf(new URLSearchParams(search)), "2026-11-25");

  test.each([
    ["", { days: "30" }],
    ["days=7&utm_source=x", { days: "7" }],
    ["from=2026-11-01&to=2026-11-20", { from: "2026-11-01", to: "2026-11-20" }],
  ])("%s is requested", (search, query) => {
    expect(check(search)).toEqual({ query });
  });

  test.each([
    ["from=&to=", { from: "Enter a day.", to: "Enter a day." }],
    ["from=2026-11-01", { to: "Enter a day." }],
    ["from=2026-11-20&to=2026-11-01", { to: "The last day is before the first." }],
    ["from=2024-01-01&to=2026-11-01", { to: "A period has at most 366 days." }],
    ["from=2026-11-26&to=2026-11-27", { from: "That day hasn’t started yet." }],
    ["from=2026-02-31&to=2026-11-01", { from: "Enter a day as yyyy-mm-dd." }],
  ])("%s is refused beside the field", (search, problems) => {
    expect(check(search)).toEqual({ query: null, problems });
  });

  it("is a 404 for a number of days that is not offered", () => {
    expect(() => check("days=8")).toThrow(expect.objectContaining({ init: { status: 404 } }));
  });

  it("is written in the form in which it is read", () => {
    for (const search of ["days=90", "from=2026-11-01&to=2026-11-20"])
      expect(periodParams(askedPeriodOf(new URLSearchParams(search)))).toBe(search);
  });
});

describe("where listeners stop", () => {
  const chapters = [
    { start: 40, title: "The middle" },
    { start: 100, title: "The end" },
  ];
  const stops = [
    { second: 0, listeners: 2 },
    { second: 60, listeners: 3 },
    { second: 120, listeners: 5 },
  ];

  it("shows at each step the share that has not stopped before", () => {
    const { steps, listeners, finished } = listeningOf({ stops, step: 30, durationSeconds: 140, chapters });
    expect({ listeners, finished }).toEqual({ listeners: 10, finished: 5 });
    expect(steps).toEqual([
      { second: 0, listening: 100, stopped: 2 },
      { second: 30, listening: 80, stopped: 0 },
      { second: 60, listening: 80, stopped: 3 },
      { second: 90, listening: 50, stopped: 0 },
      { second: 120, listening: 50, stopped: 0 },
    ]);
  });

  it("has the chapters, and the time before the first", () => {
    const { parts } = listeningOf({ stops, step: 30, durationSeconds: 140, chapters });
    expect(parts).toEqual([
      { start: 0, title: null, listening: 100, stopped: 2 },
      { start: 40, title: "The middle", listening: 80, stopped: 3 },
      { start: 100, title: "The end", listening: 50, stopped: 0 },
    ]);
    expect(partAt(parts, 99)?.title).toBe("The middle");
  });

  it("has parts of five minutes without chapters, and no values without listeners", () => {
    const { parts } = listeningOf({ stops: [], step: 30, durationSeconds: 601, chapters: [] });
    expect(parts.map(({ start, listening }) => [start, listening])).toEqual([
      [0, null],
      [300, null],
      [600, null],
    ]);
  });
});

test("milestones keep their order, actions are sorted by count, and those without any are left out", () => {
  const counted = [
    { name: "scroll_depth:50", count: 4 },
    { name: "engagement:share", count: 1 },
    { name: "social_click:linkedin", count: 3 },
  ];
  expect(actionsOf("reading", counted).map(({ name, count }) => `${name}: ${count}`)).toEqual([
    "Scrolled 25%: 0",
    "Scrolled 50%: 4",
    "Scrolled 75%: 0",
    "Scrolled 90%: 0",
    "Stayed 30 seconds: 0",
    "Stayed 1 minute: 0",
    "Stayed 5 minutes: 0",
  ]);
  expect(actionsOf("sharing", counted)).toEqual([
    { name: "Went to LinkedIn", count: 3 },
    { name: "Shared", count: 1 },
  ]);
  expect(actionsOf("signups", counted)).toEqual([]);
});

test("a page is named as in the navigation if one name fits", () => {
  expect(titleOf({ contentType: "page", title: "/three-es" })).toBe("The 3 Es");
  expect(titleOf({ contentType: "page", title: "/letters/:id" })).toBe("/letters/:id");
  expect(titleOf({ contentType: "article", title: "/about" })).toBe("/about");
});
