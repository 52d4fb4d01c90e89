import { describe, expect, it } from "vitest";
import { progressLabel, progressFraction, resumeAt } from "#site/player/core/progress.ts";
import {
  adopt,
  initialPlayback,
  loaded,
  next,
  retry,
  seek,
  skip,
  start,
  withError,
  type Playback,
} from "#site/player/core/playback.ts";
import { createProgressRecorder } from "#site/player/progress-recorder.ts";
import { resumeLate } from "#site/player/progress-sync.ts";
import { track } from "../support/player.ts";

/** An episode of 100 seconds that plays. */
const playing = (id = 1, currentTime = 0): Playback => ({
  ...loaded(start(initialPlayback, [track(id)]), 100),
  currentTime,
});

describe("progress", () => {
  type Saved = [id: number, seconds: number, completed: boolean];

  function watch() {
    const saved: Saved[] = [];
    let now = 0;
    const recorder = createProgressRecorder(
      (id, { seconds, completed }) => saved.push([id, seconds, completed]),
      () => now,
    );
    return { saved, recorder, pass: (milliseconds: number) => (now += milliseconds) };
  }

  it("is saved at most every 15 seconds while it plays", () => {
    const { saved, recorder, pass } = watch();
    for (let second = 0; second <= 60; second++) {
      recorder.see(playing(1, second));
      pass(1000);
    }
    expect(saved.map(([, seconds]) => seconds)).toEqual([1, 16, 31, 46]);
  });

  it("is saved immediately on pause, and not again while paused", () => {
    const { saved, recorder, pass } = watch();
    recorder.see(playing(1, 10));
    pass(2000);
    recorder.see(playing(1, 12));
    recorder.see({ ...playing(1, 12), isPlaying: false });
    pass(60_000);
    recorder.see({ ...playing(1, 12), isPlaying: false });
    recorder.flush();
    expect(saved).toEqual([
      [1, 10, false],
      [1, 12, false],
    ]);
  });

  it("is saved when the page is hidden or left", () => {
    const { saved, recorder, pass } = watch();
    recorder.see(playing(1, 10));
    pass(3000);
    recorder.see(playing(1, 13));
    recorder.flush();
    expect(saved.at(-1)).toEqual([1, 13, false]);
  });

  it("is complete from 90 % on, and remains so until the episode is selected again", () => {
    const { saved, recorder, pass } = watch();
    for (const second of [89, 90, 20]) {
      recorder.see(playing(1, second));
      pass(20_000);
    }
    const again = { ...playing(1, 20), selection: 2 };
    recorder.see(again);
    expect(saved).toEqual([
      [1, 89, false],
      [1, 90, true],
      [1, 20, true],
      [1, 20, false],
    ]);
  });

  it("of the previous episode is saved when another one is selected", () => {
    const { saved, recorder, pass } = watch();
    recorder.see(playing(1, 10));
    pass(4000);
    recorder.see(playing(1, 14));
    recorder.see({ ...playing(2, 0), selection: 2 });
    expect(saved.at(-1)).toEqual([1, 14, false]);
  });

  it("records that the episode began at 0 because its position was unknown", () => {
    const saved: [number, boolean][] = [];
    const recorder = createProgressRecorder(
      (id, _, mayResume) => saved.push([id, mayResume]),
      () => 0,
    );
    recorder.see({ ...playing(1, 10), mayResume: true });
    recorder.see({ ...playing(1, 12), mayResume: true });
    recorder.see({ ...playing(2, 40), selection: 2 });
    recorder.see({ ...playing(2, 41), selection: 2, isPlaying: false });
    expect(saved).toEqual([
      [1, true],
      [1, true],
      [2, false],
    ]);
  });

  it("is not created from the stored state of an earlier visit", () => {
    const { saved, recorder } = watch();
    recorder.see({ ...playing(1, 40), isPlaying: false, isRestored: true, selection: 0 });
    recorder.flush();
    expect(saved).toEqual([]);
  });

  it("resumes the stored position, unless that was the start or the end", () => {
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
    expect(progressLabel(progress, duration)).toBe(label);
    expect(progressFraction(progress, duration)).toBe(part);
  });
});

describe("an episode that began at 0 before its progress was read", () => {
  const progress = new Map([[1, { seconds: 2400, completed: false }]]);
  const begun = (currentTime: number): Playback => ({ ...playing(1, currentTime), mayResume: true });
  const placeOf = ({ seekTo, currentTime }: Playback) => seekTo ?? currentTime;

  it("jumps to the stored position within its first 30 seconds", () => {
    expect(placeOf(resumeLate(begun(0), progress))).toBe(2400);
    expect(placeOf(resumeLate(begun(30), progress))).toBe(2400);
    expect(placeOf(resumeLate(begun(31), progress))).toBe(31);
  });

  it("jumps once, and never back", () => {
    expect(resumeLate(begun(0), progress).mayResume).toBe(false);
    expect(placeOf(resumeLate(begun(20), new Map([[1, { seconds: 12, completed: false }]])))).toBe(20);
  });

  it("does not move without progress, or with that of another episode", () => {
    expect(placeOf(resumeLate(begun(3), new Map()))).toBe(3);
    expect(placeOf(resumeLate(begun(3), new Map([[2, { seconds: 2400, completed: false }]])))).toBe(3);
    expect(placeOf(resumeLate(begun(3), new Map([[1, { seconds: 2400, completed: true }]])))).toBe(3);
  });

  it("does not move after the listener has moved it, or started elsewhere", () => {
    expect(placeOf(resumeLate(seek(begun(3), 10), progress))).toBe(10);
    expect(placeOf(resumeLate(skip(begun(20), -15), progress))).toBe(5);
    const early = { audio: { currentTime: 7, duration: 100, volume: 1, playbackRate: 1 }, isPaused: false };
    expect(placeOf(resumeLate(adopt(begun(0), { ...early, from: 5 }), progress))).toBe(7);
    expect(placeOf(resumeLate(adopt(begun(0), { ...early, from: 0 }), progress))).toBe(2400);
    expect(placeOf(resumeLate(playing(1, 3), progress))).toBe(3);
  });

  it("may still jump when its audio is loaded again, not when another episode replaces it", () => {
    expect(retry(withError(begun(0), "failed")).mayResume).toBe(true);
    const queue = { ...start(initialPlayback, [track(1), track(2)]), mayResume: true };
    expect(next(queue).mayResume).toBe(false);
  });
});
