import { describe, expect, it } from "vitest";
import { timestampUrl } from "#site/player/timestamp-link.ts";
import { loaded, initialPlayback, start, type Playback } from "#site/player/core/playback.ts";
import { nearestRate, stepRate } from "#site/player/core/rates.ts";
import { commandOf, shortcuts } from "#site/player/shortcuts.ts";
import { fadeOf, leftLabel, sleepLeft } from "#site/player/sleep.ts";
import { partAt } from "#site/player/state.ts";
import { track } from "../support/player.ts";

describe("speed", () => {
  it("has its steps from 0.5 to 3, and no others", () => {
    const seen: number[] = [];
    let now: Playback = { ...initialPlayback, rate: 0.5 };
    for (let press = 0; press < 12; press++) {
      if (seen.at(-1) !== now.rate) seen.push(now.rate);
      now = stepRate(now, 1);
    }
    expect(seen).toEqual([0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]);
    expect(stepRate({ ...initialPlayback, rate: 0.5 }, -1).rate).toBe(0.5);
  });

  it("of another player is rounded to the nearest step", () => {
    expect([0.1, 1.1, 2.3, 9].map(nearestRate)).toEqual([0.5, 1, 2.5, 3]);
  });
});

describe("the sleep timer", () => {
  /** An episode of 100 seconds, forty seconds in. */
  const forty: Playback = { ...loaded(start(initialPlayback, [track(1)]), 100), currentTime: 40 };

  it("counts down to its time, and not below", () => {
    const sleep = { minutes: 5, at: 300_000 };
    expect(sleepLeft(sleep, initialPlayback, 0)).toBe(300);
    expect(sleepLeft(sleep, initialPlayback, 400_000)).toBe(0);
  });

  it("counts to the end of the episode at the speed that it is played at", () => {
    expect(sleepLeft({ endOf: 1 }, { ...forty, rate: 2 }, 0)).toBe(30);
    expect(sleepLeft({ endOf: 2 }, forty, 0)).toBeNull();
  });

  it("fades out in its last seconds", () => {
    expect(fadeOf(60)).toBe(1);
    expect(fadeOf(6)).toBe(0.5);
    expect(fadeOf(0)).toBe(0);
  });

  it.each([
    [899, "15 min"],
    [61, "2 min"],
    [60, "60 s"],
    [0.4, "1 s"],
  ])("with %d seconds left reads %s", (left, label) => {
    expect(leftLabel(left)).toBe(label);
  });
});

describe("a key", () => {
  const press = (key: string, more = {}) =>
    commandOf({
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      repeat: false,
      ...more,
    });

  it("does what the list of shortcuts says", () => {
    const meanings = {
      toggle: [" ", "k", "K"],
      back: ["j", "ArrowLeft"],
      forward: ["l", "ArrowRight"],
      mute: ["m"],
      slower: ["<"],
      faster: [">"],
      next: ["n"],
      previous: ["p"],
      copy: ["c"],
      help: ["?"],
    };
    for (const [command, keys] of Object.entries(meanings)) {
      expect(keys.map((key) => press(key))).toEqual(keys.map(() => command));
    }
    expect(press("x")).toBeNull();
    expect(new Set(shortcuts.map(({ command }) => command)).size).toBe(shortcuts.length);
  });

  it("with a modifier belongs to the browser", () => {
    for (const modifier of ["ctrlKey", "metaKey", "altKey"])
      expect(press("k", { [modifier]: true })).toBeNull();
  });

  it("with Shift scrolls or selects, for the space bar or an arrow", () => {
    for (const key of [" ", "ArrowLeft", "ArrowRight"]) expect(press(key, { shiftKey: true })).toBeNull();
    expect(["<", ">", "?", "K"].map((key) => press(key, { shiftKey: true }))).toEqual([
      "slower",
      "faster",
      "help",
      "toggle",
    ]);
  });

  it("held down repeats only for step-by-step actions", () => {
    expect(press("k", { repeat: true })).toBeNull();
    expect(press("n", { repeat: true })).toBeNull();
    expect(press("l", { repeat: true })).toBe("forward");
  });
});

describe("a part of an episode", () => {
  const parts = [{ start: 0 }, { start: 36.149 }, { start: 72 }];

  it.each([
    [0, 0],
    [36, 0],
    [36.148, 1],
    [500, 2],
  ])("at %d seconds is number %d", (seconds, index) => {
    expect(partAt(parts, seconds)).toBe(index);
  });

  it("is none before the first chapter", () => {
    expect(partAt([{ start: 2.4 }], 0)).toBe(-1);
  });
});

it("the address of a moment names its second, and at the beginning none", () => {
  expect(timestampUrl("https://plain.example", 5, 61.9)).toBe("https://plain.example/episode/5?t=61");
  expect(timestampUrl("https://plain.example", 5, 0.4)).toBe("https://plain.example/episode/5");
});
