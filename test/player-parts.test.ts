import { describe, expect, it } from "vitest";
import { heardLabel, heardPart, resumeAt } from "#site/player/heard.ts";
import { momentUrl } from "#site/player/moment.ts";
import { loaded, silence, start, type Playback, type Track } from "#site/player/playback.ts";
import { createProgressKeeper } from "#site/player/progress-keeper.ts";
import { nearestRate, stepRate } from "#site/player/rates.ts";
import { commandOf, shortcuts } from "#site/player/shortcuts.ts";
import { fadeOf, leftLabel, sleepLeft } from "#site/player/sleep.ts";
import { partAt } from "#site/player/state.ts";

const track = (id: number): Track => ({
  id,
  title: `Episode ${id}`,
  episodeNumber: id,
  picture: null,
  audioUrl: `/media/${id}.mp3`,
  show: "Plain Ground",
});

/** An episode of 100 seconds that plays. */
const playing = (id = 1, currentTime = 0): Playback => ({
  ...loaded(start(silence, [track(id)]), 100),
  currentTime,
});

describe("progress", () => {
  type Saved = [id: number, seconds: number, completed: boolean];

  function watch() {
    const saved: Saved[] = [];
    let now = 0;
    const keeper = createProgressKeeper(
      (id, { seconds, completed }) => saved.push([id, seconds, completed]),
      () => now,
    );
    return { saved, keeper, pass: (milliseconds: number) => (now += milliseconds) };
  }

  it("is saved at most every 15 seconds while it plays", () => {
    const { saved, keeper, pass } = watch();
    for (let second = 0; second <= 60; second++) {
      keeper.see(playing(1, second));
      pass(1000);
    }
    expect(saved.map(([, seconds]) => seconds)).toEqual([1, 16, 31, 46]);
  });

  it("is saved at once when it pauses, and not again while it is paused", () => {
    const { saved, keeper, pass } = watch();
    keeper.see(playing(1, 10));
    pass(2000);
    keeper.see(playing(1, 12));
    keeper.see({ ...playing(1, 12), isPlaying: false });
    pass(60_000);
    keeper.see({ ...playing(1, 12), isPlaying: false });
    keeper.flush();
    expect(saved).toEqual([
      [1, 10, false],
      [1, 12, false],
    ]);
  });

  it("is saved when the page is hidden or left", () => {
    const { saved, keeper, pass } = watch();
    keeper.see(playing(1, 10));
    pass(3000);
    keeper.see(playing(1, 13));
    keeper.flush();
    expect(saved.at(-1)).toEqual([1, 13, false]);
  });

  it("is complete from 90 % on, and stays so until the episode is selected again", () => {
    const { saved, keeper, pass } = watch();
    for (const second of [89, 90, 20]) {
      keeper.see(playing(1, second));
      pass(20_000);
    }
    const again = { ...playing(1, 20), selection: 2 };
    keeper.see(again);
    expect(saved).toEqual([
      [1, 89, false],
      [1, 90, true],
      [1, 20, true],
      [1, 20, false],
    ]);
  });

  it("of what was heard last is saved when another episode takes its place", () => {
    const { saved, keeper, pass } = watch();
    keeper.see(playing(1, 10));
    pass(4000);
    keeper.see(playing(1, 14));
    keeper.see({ ...playing(2, 0), selection: 2 });
    expect(saved.at(-1)).toEqual([1, 14, false]);
  });

  it("is not made by what lies there from an earlier visit", () => {
    const { saved, keeper } = watch();
    keeper.see({ ...playing(1, 40), isPlaying: false, isAsleep: true, selection: 0 });
    keeper.flush();
    expect(saved).toEqual([]);
  });

  it("leads back to where one stopped, unless that was the beginning or the end", () => {
    expect(resumeAt(undefined)).toBe(0);
    expect(resumeAt({ seconds: 5, completed: false })).toBe(0);
    expect(resumeAt({ seconds: 6, completed: false })).toBe(6);
    expect(resumeAt({ seconds: 95, completed: true })).toBe(0);
  });

  it.each([
    [undefined, 3600, null, 0],
    [{ seconds: 4, completed: false }, 3600, null, 4 / 3600],
    [{ seconds: 2940, completed: false }, 3600, "11 min left", 2940 / 3600],
    [{ seconds: 3599, completed: false }, 3600, "1 min left", 3599 / 3600],
    [{ seconds: 60, completed: false }, 3960, "1 h 5 min left", 60 / 3960],
    [{ seconds: 3300, completed: true }, 3600, "Listened", 1],
    [{ seconds: 60, completed: false }, 0, null, 0],
  ])("%j of %d seconds reads %s", (progress, duration, label, part) => {
    expect(heardLabel(progress, duration)).toBe(label);
    expect(heardPart(progress, duration)).toBe(part);
  });
});

describe("speed", () => {
  it("goes from 0.5 to 3 by its steps, and no further", () => {
    const seen: number[] = [];
    let now: Playback = { ...silence, rate: 0.5 };
    for (let press = 0; press < 12; press++) {
      if (seen.at(-1) !== now.rate) seen.push(now.rate);
      now = stepRate(now, 1);
    }
    expect(seen).toEqual([0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3]);
    expect(stepRate({ ...silence, rate: 0.5 }, -1).rate).toBe(0.5);
  });

  it("of another player is taken for the nearest", () => {
    expect([0.1, 1.1, 2.3, 9].map(nearestRate)).toEqual([0.5, 1, 2.5, 3]);
  });
});

describe("the sleep timer", () => {
  it("counts down to its time, and not below", () => {
    const sleep = { minutes: 5, at: 300_000 };
    expect(sleepLeft(sleep, silence, 0)).toBe(300);
    expect(sleepLeft(sleep, silence, 400_000)).toBe(0);
  });

  it("counts to the end of the episode at the speed that it is played at", () => {
    expect(sleepLeft({ endOf: 1 }, { ...playing(1, 40), rate: 2 }, 0)).toBe(30);
    expect(sleepLeft({ endOf: 2 }, playing(1, 40), 0)).toBeNull();
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
    commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...more });

  it("means what the list of them says", () => {
    const meant = [
      " ",
      "k",
      "K",
      "j",
      "ArrowLeft",
      "l",
      "ArrowRight",
      "m",
      "<",
      ">",
      "n",
      "p",
      "c",
      "?",
      "x",
    ];
    expect(meant.map((key) => press(key))).toEqual([
      "toggle",
      "toggle",
      "toggle",
      "back",
      "back",
      "forward",
      "forward",
      "mute",
      "slower",
      "faster",
      "next",
      "previous",
      "copy",
      "help",
      null,
    ]);
    expect(new Set(shortcuts.map(({ command }) => command)).size).toBe(shortcuts.length);
  });

  it("with a modifier belongs to the browser", () => {
    for (const modifier of ["ctrlKey", "metaKey", "altKey"])
      expect(press("k", { [modifier]: true })).toBeNull();
  });

  it("held down goes on only where it goes step by step", () => {
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

  it("is none before the first", () => {
    expect(partAt([{ start: 2.4 }], 0)).toBe(-1);
  });
});

it("the address of a moment names its second, and at the beginning none", () => {
  expect(momentUrl("https://plain.example", 5, 61.9)).toBe("https://plain.example/episode/5?t=61");
  expect(momentUrl("https://plain.example", 5, 0.4)).toBe("https://plain.example/episode/5");
});
