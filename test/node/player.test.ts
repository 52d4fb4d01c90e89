import { describe, expect, it } from "vitest";
import {
  adopt,
  append,
  canPlay,
  currentTrack,
  ended,
  loaded,
  next,
  previous,
  remove,
  renew,
  retry,
  seek,
  seekMaximum,
  initialPlayback,
  start,
  toggle,
  toggleMute,
  withError,
  type Playback,
} from "#site/player/core/playback.ts";
import { failureOf, replaceFailed } from "#site/player/refresh-audio-url.ts";
import { track } from "../support/player.ts";

const three = [track(1), track(2), track(3)];

/** Three episodes, the one at `index` loaded, playing and half a minute in. */
const playing = (index: number): Playback => ({
  ...loaded(start(initialPlayback, three, index), 90),
  currentTime: 30,
});
const currentId = (playback: Playback) => currentTrack(playback)?.id;

describe("the queue", () => {
  it("begins at the episode of the chosen index", () => {
    expect(currentId(start(initialPlayback, three, 1))).toBe(2);
  });

  it("begins within its ends when the index lies outside", () => {
    expect(currentId(start(initialPlayback, three, 7))).toBe(3);
    expect(currentId(start(initialPlayback, three, -1))).toBe(1);
  });

  it("selects nothing when it is empty", () => {
    expect(currentTrack(start(playing(0), []))).toBeNull();
  });

  it("appends to the end and leaves the current episode playing", () => {
    const after = append(playing(1), track(4));
    expect(after.queue.tracks.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(after).toMatchObject({ isPlaying: true, currentTime: 30 });
    expect(currentId(after)).toBe(2);
  });

  it("makes the first episode that is appended to an empty one current, without playing it", () => {
    const after = append(initialPlayback, track(4));
    expect(currentId(after)).toBe(4);
    expect(after).toMatchObject({ isPlaying: false, isLoading: true });
  });

  it("steps one forward and one back, each time from the beginning", () => {
    expect(currentId(next(playing(0)))).toBe(2);
    expect(currentId(previous(playing(2)))).toBe(2);
    expect(next(playing(0))).toMatchObject({ currentTime: 0, isLoading: true, isPlaying: true });
    expect(previous(playing(2))).toMatchObject({ currentTime: 0, isLoading: true, isPlaying: true });
  });

  it("does not move beyond its ends", () => {
    expect(next(playing(2))).toEqual(playing(2));
    expect(previous(playing(0))).toEqual(playing(0));
  });

  it("removes an episode by its id and keeps the current one current", () => {
    const after = remove(playing(1), 1);
    expect(after.queue).toEqual({ tracks: [three[1], three[2]], index: 0 });
    expect(after).toMatchObject({ currentTime: 30, isPlaying: true });
  });

  it("makes the following episode current when the current one is removed, and the one before at the end", () => {
    expect(currentId(remove(playing(1), 2))).toBe(3);
    expect(currentId(remove(playing(2), 3))).toBe(2);
    expect(remove(playing(1), 2).currentTime).toBe(0);
  });

  it("is silent when its last episode is removed", () => {
    const after = remove(loaded(start(initialPlayback, [track(1)]), 90), 1);
    expect(currentTrack(after)).toBeNull();
    expect(after.isPlaying).toBe(false);
  });

  it("ignores an id that it does not hold", () => {
    expect(remove(playing(1), 99)).toEqual(playing(1));
  });
});

describe("a queue with episodes that have no audio", () => {
  const silent = { audioUrl: null };
  const mixed = [track(1), track(2, silent), track(3), track(4, silent), track(5, silent), track(6)];
  const idsOf = ({ queue }: Playback) => queue.tracks.map(({ id }) => id);

  it("holds the others only, from the one that was asked for", () => {
    const after = start(initialPlayback, mixed, 2);
    expect(idsOf(after)).toEqual([1, 3, 6]);
    expect(currentId(after)).toBe(3);
  });

  it("begins at the first with audio when it is asked for as a whole", () => {
    const after = start(initialPlayback, mixed.slice(1), undefined, true);
    expect(currentId(after)).toBe(3);
    expect(after.isPlaying).toBe(true);
    expect(currentTrack(start(initialPlayback, mixed.slice(3, 5)))).toBeNull();
  });

  it("plays on, and steps, past them", () => {
    const list = loaded(start(initialPlayback, mixed, 0, true), 90);
    expect(currentId(ended(list))).toBe(3);
    expect(ended(list).isPlaying).toBe(true);
    const last = next(next(list));
    expect(currentId(last)).toBe(6);
    expect(last.isPlaying).toBe(true);
    expect(currentId(previous(previous(last)))).toBe(1);
    expect(previous(previous(last)).isPlaying).toBe(true);
    expect(currentId(remove(list, 1))).toBe(3);
  });

  it("keeps one that was asked for until another is current", () => {
    const asked = start(initialPlayback, mixed, 3);
    expect(currentId(asked)).toBe(4);
    expect(currentId(next(asked))).toBe(6);
    expect(currentId(previous(asked))).toBe(3);
    expect(idsOf(next(asked))).toEqual([1, 3, 6]);
    expect(idsOf(previous(asked))).toEqual([1, 3, 6]);
  });

  it("takes none in", () => {
    expect(idsOf(append(playing(0), track(4, silent)))).toEqual([1, 2, 3]);
  });
});

describe("playback", () => {
  it("loads from the selection until the metadata is there", () => {
    const selected = start(initialPlayback, three);
    expect(selected.isLoading).toBe(true);
    expect(canPlay(selected)).toBe(false);
    expect(loaded(selected, 90)).toMatchObject({ isLoading: false, duration: 90 });
  });

  it("pauses at the end of an episode and advances to the next", () => {
    expect(ended(playing(0))).toMatchObject({ isPlaying: false, currentTime: 0 });
    expect(currentId(ended(playing(0)))).toBe(2);
  });

  it("continues automatically through a list to its last episode", () => {
    const list = loaded(start(initialPlayback, three, 1, true), 90);
    const after = ended(list);
    expect(after).toMatchObject({ isPlaying: true, isLoading: true, currentTime: 0 });
    expect(currentId(after)).toBe(3);
    expect(ended(loaded(after, 90))).toMatchObject({ isPlaying: false, currentTime: 0 });
    expect(currentId(ended(loaded(after, 90)))).toBe(3);
    // What is started alone after a list pauses again.
    expect(ended(start(after, three)).isPlaying).toBe(false);
  });

  it("continues or pauses as the listener chose, and always pauses when the sleep timer ends", () => {
    expect(ended({ ...playing(0), goesOn: true }).isPlaying).toBe(true);
    const list = { ...playing(0), isList: true };
    expect(ended({ ...list, goesOn: false }).isPlaying).toBe(false);
    expect(ended({ ...list, sleepsAtEnd: true }).isPlaying).toBe(false);
    expect(currentId(ended({ ...list, sleepsAtEnd: true }))).toBe(2);
    // Only once: a listener who plays the episode to its end again continues.
    expect(ended({ ...list, sleepsAtEnd: true }).sleepsAtEnd).toBe(false);
    expect(ended({ ...start(initialPlayback, [track(1)]), sleepsAtEnd: true }).sleepsAtEnd).toBe(false);
  });

  it("stops at the end of the last episode", () => {
    expect(currentId(ended(playing(2)))).toBe(3);
    expect(ended(playing(2))).toMatchObject({ isPlaying: false, currentTime: 0 });
  });

  it("cannot play an episode without audio, and does not wait for it", () => {
    const mute = start(initialPlayback, [track(1, { audioUrl: null })], 0);
    expect(mute).toMatchObject({ isLoading: false, isPlaying: false });
    expect(canPlay(mute)).toBe(false);
    expect(toggle(mute)).toEqual(mute);
  });

  it("toggles between playing and paused once loaded", () => {
    expect(toggle(playing(0)).isPlaying).toBe(false);
    expect(toggle(toggle(playing(0))).isPlaying).toBe(true);
    expect(toggle(start(initialPlayback, three)).isPlaying).toBe(true);
  });

  it("mutes to 0 and unmutes to 1", () => {
    expect(toggleMute({ ...initialPlayback, volume: 0.3 }).volume).toBe(0);
    expect(toggleMute({ ...initialPlayback, volume: 0 }).volume).toBe(1);
  });

  it("gives the seek slider the duration as its end, or 100 while that is unknown", () => {
    expect(seekMaximum(playing(0))).toBe(90);
    expect(seekMaximum(start(initialPlayback, three))).toBe(100);
    expect(seekMaximum(loaded(start(initialPlayback, three), Infinity))).toBe(100);
  });

  it("stops when the audio cannot be loaded, until it is tried again", () => {
    const failed = withError(start(initialPlayback, three), "failed");
    expect(failed).toMatchObject({ isPlaying: false, isLoading: false, error: "failed" });
    expect(toggle(failed)).toEqual(retry(failed));
    expect(retry(failed)).toMatchObject({ isPlaying: true, isLoading: true, error: null });
    expect(retry(failed).selection).toBe(failed.selection + 1);
  });

  it("resumes at the same position on retry", () => {
    expect(retry(withError(playing(1), "failed"))).toMatchObject({ currentTime: 0, seekTo: 30 });
    expect(retry(withError(start(initialPlayback, three), "failed")).seekTo).toBeNull();
  });

  it("forgets its target position as soon as another episode is current", () => {
    const waiting = seek(start(initialPlayback, three, 1), 720);
    expect(waiting.seekTo).toBe(720);
    for (const step of [next, previous, ended, (now: Playback) => remove(now, 2)]) {
      expect(step(waiting).seekTo).toBeNull();
    }
    expect(remove(waiting, 1).seekTo).toBe(720);
  });

  it("waits for a press when the browser blocks autoplay", () => {
    const blocked = withError(playing(0), "blocked");
    expect(blocked).toMatchObject({ isPlaying: false, error: "blocked" });
    expect(toggle(blocked)).toMatchObject({ isPlaying: true, error: null });
  });
});

describe("audio that an early press has started", () => {
  const audio = { currentTime: 43, duration: 90, volume: 0.5, playbackRate: 1.5 };
  const started = start(initialPlayback, three);

  it("continues at its position, volume and speed, and does not seek back to its start", () => {
    const adopted = adopt({ ...started, seekTo: 42 }, { audio, from: 42, isPaused: false });
    expect(adopted).toMatchObject({
      isPlaying: true,
      isLoading: false,
      currentTime: 43,
      duration: 90,
      seekTo: null,
      volume: 0.5,
      rate: 1.5,
    });
  });

  it("is sent to the position that the listener reached", () => {
    expect(adopt({ ...started, seekTo: 60 }, { audio, from: 0, isPaused: false }).seekTo).toBe(60);
  });

  it("remains paused, and continues to load", () => {
    const adopted = adopt(started, { audio: { ...audio, duration: Number.NaN }, from: 0, isPaused: true });
    expect(adopted).toMatchObject({ isPlaying: false, isLoading: true });
  });
});

describe("a recording that was replaced since the queue was stored", () => {
  const replaced = track(2, { audioUrl: "/media/new.mp3" });
  const restored: Playback = {
    ...initialPlayback,
    queue: playing(1).queue,
    isRestored: true,
    currentTime: 30,
  };

  it("replaces the failed one in the queue, and is played from there", () => {
    for (const before of [restored, withError(playing(1), "failed"), { ...playing(1), isPlaying: false }]) {
      const after = toggle(renew(before, replaced));
      expect(after.queue).toEqual({ tracks: [three[0], replaced, three[2]], index: 1 });
      expect(after).toMatchObject({ isPlaying: true, isLoading: true, isRestored: false, seekTo: 30 });
      expect(after.selection).toBe(before.selection + 1);
    }
  });

  it("changes nothing if it is the same, or another episode's", () => {
    expect(renew(restored, track(2))).toBe(restored);
    expect(renew(restored, track(1, { audioUrl: "/media/new.mp3" }))).toBe(restored);
    expect(renew(initialPlayback, replaced)).toBe(initialPlayback);
  });

  it("is loaded if the older one has failed, and played if that was to play", () => {
    const failed = withError(playing(1), "failed");
    const failure = failureOf(playing(1), failed)!;
    expect(failure).toEqual({ track: track(2), wasPlaying: true });
    expect(failureOf(failed, failed)).toBeNull();
    expect(failureOf(playing(0), playing(1))).toBeNull();
    const after = replaceFailed(failed, failure, "/media/new.mp3");
    expect(currentTrack(after)).toEqual(replaced);
    expect(after).toMatchObject({ isPlaying: true, isLoading: true, error: null, seekTo: 30 });
    const paused = { ...failure, wasPlaying: false };
    expect(replaceFailed(failed, paused, "/media/new.mp3")).toMatchObject({ isPlaying: false, error: null });
  });

  it("is not loaded if it is the one that failed, or the listener has moved on", () => {
    const failed = withError(playing(1), "failed");
    const failure = failureOf(playing(1), failed)!;
    expect(replaceFailed(failed, failure, "/media/2.mp3")).toBe(failed);
    for (const now of [retry(failed), next(failed), withError(next(failed), "failed")]) {
      expect(replaceFailed(now, failure, "/media/new.mp3")).toBe(now);
    }
  });
});
