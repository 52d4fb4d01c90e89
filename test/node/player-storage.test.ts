import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followTab, parsePlayer, restore, serializePlayer } from "#site/player/player-json.ts";
import {
  append,
  initialPlayback,
  loaded,
  remove,
  seek,
  skip,
  start,
  toggle,
  withError,
  type Playback,
} from "#site/player/core/playback.ts";
import { track } from "../support/player.ts";
import "../support/property-seed.ts";

describe("stored player state", () => {
  const long = start(
    initialPlayback,
    Array.from({ length: 900 }, (_, at) => track(at + 1)),
    500,
  );

  it("contains only the part of a long queue near the current episode", () => {
    const saved = parsePlayer(serializePlayer(long, true))!;
    expect(saved.queue.tracks.length).toBe(200);
    expect(saved.queue.tracks[saved.queue.index]?.id).toBe(501);
  });

  it.each([
    ["nothing", null],
    ["no JSON", "{queue:"],
    ["a number", "3"],
    ["null", "null"],
  ])("cannot be read from %s", (_, text) => {
    expect(parsePlayer(text)).toBeNull();
  });

  it("is dropped if it is malformed, and restored otherwise", () => {
    const saved = parsePlayer(
      JSON.stringify({
        queue: {
          tracks: [
            { ...track(1), audioUrl: "https://elsewhere.example/1.mp3" },
            { ...track(2), id: "2" },
            { ...track(3), picture: { src: "javascript:alert(1)" } },
            { ...track(4), title: undefined },
            null,
            track(3),
            { ...track(6), episodeNumber: null },
            { ...track(7), episodeNumber: "7" },
          ],
          index: 6,
        },
        currentTime: 61,
        mayResume: 1,
        duration: "90",
        volume: 4,
        rate: 1.3,
        isList: 1,
        goesOn: "no",
        shortcuts: "yes",
      }),
    );
    expect(saved).toEqual({
      queue: { tracks: [track(3), { ...track(6), episodeNumber: null }], index: 1 },
      currentTime: 61,
      mayResume: false,
      duration: 0,
      volume: 1,
      rate: 1.25,
      isList: false,
      goesOn: null,
      shortcuts: true,
    });
  });

  it("loses its second with the episode that it belongs to", () => {
    const saved = parsePlayer(
      JSON.stringify({ queue: { tracks: [track(1), { id: 2 }], index: 1 }, currentTime: 61, duration: 90 }),
    );
    expect(saved).toMatchObject({ queue: { tracks: [track(1)], index: 0 }, currentTime: 0, duration: 0 });
  });

  it("loses the episodes without audio, but for the current one", () => {
    const silent = { audioUrl: null };
    const tracks = [track(1, silent), track(2), track(3, silent), track(4)];
    const queueAt = (index: number) => parsePlayer(JSON.stringify({ queue: { tracks, index } }))!.queue;
    expect(queueAt(1)).toEqual({ tracks: [track(2), track(4)], index: 0 });
    expect(queueAt(2)).toEqual({ tracks: [track(2), track(3, silent), track(4)], index: 1 });
    expect(queueAt(9)).toEqual({ tracks: [track(2), track(4)], index: 0 });
  });

  it("never throws on invalid stored data", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const queue = parsePlayer(text)?.queue;
        if (queue) expect(queue.index).toBeLessThan(Math.max(1, queue.tracks.length));
      }),
    );
  });

  it("yields to an episode chosen before it is restored, except volume, speed and the continue switch", () => {
    const saved = { ...parsePlayer(serializePlayer(long, true))!, volume: 0.4, rate: 1.5, goesOn: true };
    const chosen = start(initialPlayback, [track(7)]);
    const after = restore(chosen, saved);
    expect(after).toEqual({ ...chosen, volume: 0.4, rate: 1.5, goesOn: true });
    const paused = { ...loaded(chosen, 90), isPlaying: false, currentTime: 2 };
    for (const other of [
      paused,
      seek(chosen, 12),
      withError(chosen, "blocked"),
      toggle(loaded(append(initialPlayback, track(8)), 90)),
    ]) {
      expect(restore(other, saved).queue).toBe(other.queue);
    }
  });

  it("is restored before episodes appended in the meantime, which go to its end", () => {
    const saved = parsePlayer(
      serializePlayer({ ...start(initialPlayback, [track(1), track(2)], 0, true), currentTime: 61 }, true),
    )!;
    const one = append(initialPlayback, track(3));
    const ids = (playback: Playback) => playback.queue.tracks.map(({ id }) => id);
    for (const appended of [one, loaded(one, 90), withError(one, "failed")]) {
      const after = restore(appended, saved);
      expect(ids(after)).toEqual([1, 2, 3]);
      expect(after).toMatchObject({ isRestored: true, isPlaying: false, isLoading: false, error: null });
      expect(after).toMatchObject({ currentTime: 61, isList: true, queue: { index: 0 } });
      expect(toggle(after)).toMatchObject({ isPlaying: true, seekTo: 61, selection: 2 });
    }
    expect(ids(restore(append(one, track(4)), saved))).toEqual([1, 2, 3, 4]);
    // What is there already moves to the end, but for the current one.
    expect(ids(restore(append(append(initialPlayback, track(2)), track(1)), saved))).toEqual([1, 2]);
    expect(ids(restore(append(one, track(2)), saved))).toEqual([1, 3, 2]);
    expect(restore(one, { ...saved, queue: { tracks: [], index: -1 } }).queue).toBe(one.queue);
  });
});

describe("restored", () => {
  const restored = restore(
    initialPlayback,
    parsePlayer(
      serializePlayer(
        { ...start(initialPlayback, [track(1), track(2)]), currentTime: 61, duration: 90 },
        true,
      ),
    )!,
  );

  it("loads the audio on play and resumes at its second", () => {
    expect(toggle(restored)).toMatchObject({
      isRestored: false,
      isLoading: true,
      isPlaying: true,
      seekTo: 61,
      duration: 90,
      selection: 1,
    });
  });

  it("changes its position without loading anything", () => {
    expect(seek(restored, 30)).toEqual({ ...restored, currentTime: 30 });
    expect(skip(restored, -15)).toEqual({ ...restored, currentTime: 46 });
  });

  it("still counts as started at 0 with an unknown position, until the listener seeks", () => {
    const begun = { ...start(initialPlayback, [track(1)]), currentTime: 4, mayResume: true };
    const again = restore(initialPlayback, parsePlayer(serializePlayer(begun, true))!);
    expect(toggle(again)).toMatchObject({ seekTo: 4, mayResume: true });
    expect(seek(again, 10).mayResume).toBe(false);
    expect(toggle(restored).mayResume).toBe(false);
  });

  it("sleeps on when its current episode is removed", () => {
    expect(remove(restored, 1)).toMatchObject({ isRestored: true, isLoading: false, currentTime: 0 });
  });
});

describe("state stored by another tab", () => {
  const playing: Playback = {
    ...loaded(start(initialPlayback, [track(1), track(2)]), 3600),
    currentTime: 600,
  };
  const paused: Playback = { ...playing, isPlaying: false };
  const stored = (playback: Playback) => parsePlayer(serializePlayer(playback, true))!;

  it("is where a paused episode continues", () => {
    const followed = followTab(paused, stored({ ...playing, currentTime: 2400 }));
    expect(followed).toMatchObject({ isRestored: true, isPlaying: false, currentTime: 2400, seekTo: null });
    expect(toggle(followed)).toMatchObject({ isPlaying: true, isLoading: true, seekTo: 2400 });
    expect(toggle(followed).selection).toBeGreaterThan(paused.selection);
  });

  it("ends a pending seek and clears the error of the replaced state", () => {
    const later = stored({ ...playing, currentTime: 2400 });
    expect(followTab(seek(paused, 30), later)).toMatchObject({ currentTime: 2400, seekTo: null });
    expect(followTab(withError(playing, "failed"), later)).toMatchObject({ error: null, isLoading: false });
    expect(followTab({ ...paused, mayResume: true }, later).mayResume).toBe(false);
  });

  it("is ignored while this tab plays, or is paused at another episode or at the same position", () => {
    const other = start(initialPlayback, [track(2)]);
    expect(followTab(playing, stored({ ...playing, currentTime: 2400 }))).toBe(playing);
    expect(followTab(paused, stored({ ...other, currentTime: 2400 }))).toBe(paused);
    expect(followTab(paused, stored({ ...playing, currentTime: 600.4, volume: 0.5 }))).toBe(paused);
    expect(followTab(initialPlayback, stored(playing))).toBe(initialPlayback);
  });

  it("is followed to another episode by a player that has not played", () => {
    const restored = restore(initialPlayback, stored(playing));
    const followed = followTab(restored, stored({ ...start(initialPlayback, [track(2)]), currentTime: 40 }));
    expect(followed).toMatchObject({ isRestored: true, currentTime: 40, queue: { tracks: [track(2)] } });
  });
});
