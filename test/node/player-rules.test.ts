import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlayer, restore, serializePlayer } from "#site/player/player-json.ts";
import {
  append,
  currentTrack,
  ended,
  goesOn,
  loaded,
  next,
  positionOf,
  previous,
  remove,
  retry,
  seek,
  seekMaximum,
  initialPlayback,
  skip,
  start,
  toggle,
  toggleMute,
  withError,
  type Playback,
} from "#site/player/core/playback.ts";
import { rates, stepRate } from "#site/player/core/rates.ts";
import { track as aTrack } from "../support/player.ts";
import "../support/property-seed.ts";

/** Each fifth has no audio yet. */
const track = (id: number) => aTrack(id, id % 5 === 0 ? { audioUrl: null } : {});

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 12 });
const seconds = fc.double({ min: 0, max: 7200, noNaN: true });

type Step = { name: string; run: (playback: Playback) => Playback };

const step = (name: string, run: Step["run"]) => fc.constant<Step>({ name, run });

/** Anything that a listener or the audio element may do. */
const steps = fc.array(
  fc.oneof(
    step("next", next),
    step("previous", previous),
    step("ended", ended),
    step("toggle", toggle),
    step("retry", retry),
    step("mute", toggleMute),
    step("faster", (now) => stepRate(now, 1)),
    step("slower", (now) => stepRate(now, -1)),
    step("failed", (now) => withError(now, "failed")),
    seconds.map((at) => ({ name: `seek ${at}`, run: (now: Playback) => seek(now, at) })),
    seconds.map((by) => ({ name: `skip ${by}`, run: (now: Playback) => skip(now, by - 3600) })),
    seconds.map((long) => ({ name: `loaded ${long}`, run: (now: Playback) => loaded(now, long) })),
    ids.map((of) => ({ name: `start ${of}`, run: (now: Playback) => start(now, of.map(track), of.length) })),
    ids.map((of) => ({ name: `list ${of}`, run: (now: Playback) => start(now, of.map(track), 0, true) })),
    step("go on", (now) => ({ ...now, goesOn: !goesOn(now) })),
    fc.integer({ min: 1, max: 20 }).map((id) => ({
      name: `append ${id}`,
      run: (now: Playback) => append(now, track(id)),
    })),
    fc.integer({ min: 1, max: 20 }).map((id) => ({
      name: `remove ${id}`,
      run: (now: Playback) => remove(now, id),
    })),
  ),
  { maxLength: 40 },
);

/** All playback states that the steps reach. */
const playbacks = steps.map((all) => all.reduce((now, { run }) => run(now), initialPlayback));

const holds = <T>(arbitrary: fc.Arbitrary<T>, rule: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, (value) => void rule(value)));

const idsOf = ({ queue }: Playback) => queue.tracks.map(({ id }) => id);

describe("any sequence of player actions", () => {
  it("an episode of the queue is current, or the queue is empty", () => {
    holds(playbacks, ({ queue }) => {
      const last = queue.tracks.length - 1;
      expect(queue.index).toBeGreaterThanOrEqual(Math.min(0, last));
      expect(queue.index).toBeLessThanOrEqual(last);
    });
  });

  it("the queue holds an episode once", () => {
    holds(playbacks, (now) => expect(new Set(idsOf(now)).size).toBe(idsOf(now).length));
  });

  it("only an episode with audio is loading or playing", () => {
    holds(playbacks, (now) => {
      if (currentTrack(now)?.audioUrl) return;
      expect(now).toMatchObject({ isLoading: false, isPlaying: false });
    });
  });

  it("each episode of the queue has audio, unless it is current", () => {
    holds(playbacks, ({ queue: { tracks, index } }) => {
      for (const { audioUrl } of tracks.toSpliced(index, 1)) expect(audioUrl).not.toBeNull();
    });
  });

  it("the volume is between 0 and 1, and the speed is one of those offered", () => {
    holds(playbacks, ({ volume, rate }) => {
      expect(volume === 0 || volume === 1).toBe(true);
      expect(rates).toContain(rate);
    });
  });

  it("next and previous undo each other, but for the second, unless the episode has no audio", () => {
    holds(playbacks, (now) => {
      const { index, tracks } = now.queue;
      if (!currentTrack(now)?.audioUrl) return;
      if (index < tracks.length - 1) expect(previous(next(now)).queue).toEqual(now.queue);
      if (index > 0) expect(next(previous(now)).queue).toEqual(now.queue);
    });
  });

  it("a step to another episode begins it at 0 and keeps playing or paused", () => {
    holds(playbacks, (now) => {
      for (const after of [next(now), previous(now)]) {
        if (after === now) continue;
        expect(positionOf(after)).toBe(0);
        expect(after.isPlaying).toBe(now.isPlaying);
      }
    });
  });

  it("the first has no previous and the last no next: nothing changes", () => {
    holds(playbacks, (now) => {
      const { index, tracks } = now.queue;
      if (index <= 0) expect(previous(now)).toBe(now);
      if (index >= tracks.length - 1) expect(next(now)).toBe(now);
    });
  });

  it("the end of an episode advances to the next one, and plays it only in a continuing list", () => {
    holds(fc.tuple(playbacks, fc.boolean()), ([before, isList]) => {
      const now = { ...before, isList, goesOn: null };
      const after = ended(now);
      const hasNext = now.queue.index < now.queue.tracks.length - 1;
      const { tracks, index } = now.queue;
      expect(after.isPlaying).toBe(isList && hasNext);
      expect(currentTrack(after)).toBe(tracks[index + 1] ?? currentTrack(now));
    });
  });

  it("removing keeps the order of the others, and the current one unless it is the one", () => {
    holds(fc.tuple(playbacks, fc.integer({ min: 1, max: 20 })), ([now, id]) => {
      const after = remove(now, id);
      expect(idsOf(after)).toEqual(idsOf(now).filter((one) => one !== id));
      const current = currentTrack(now)?.id;
      if (current !== id) expect(currentTrack(after)?.id).toBe(current);
    });
  });

  it("appending moves an episode to the end, and preserves the order and the current one", () => {
    holds(fc.tuple(playbacks, fc.integer({ min: 1, max: 20 })), ([now, id]) => {
      const after = append(now, track(id));
      const current = currentTrack(now)?.id;
      if (current === id) return expect(after.queue).toEqual(now.queue);
      const isTaken = track(id).audioUrl !== null || current === undefined;
      expect(idsOf(after)).toEqual([...idsOf(now).filter((one) => one !== id), ...(isTaken ? [id] : [])]);
      expect(currentTrack(after)?.id).toBe(current ?? id);
    });
  });

  it("muting sets a volume above 0 to 0, and 0 to 1", () => {
    holds(fc.double({ min: 0, max: 1, noNaN: true }), (volume) => {
      expect(toggleMute({ ...initialPlayback, volume }).volume).toBe(volume > 0 ? 0 : 1);
    });
  });

  it("a skip stays within the episode", () => {
    holds(fc.tuple(seconds, seconds, seconds), ([duration, at, by]) => {
      const now = {
        ...loaded(start(initialPlayback, [track(1)]), duration),
        currentTime: Math.min(at, duration),
      };
      for (const after of [skip(now, by), skip(now, -by)]) {
        expect(positionOf(after)).toBeGreaterThanOrEqual(0);
        if (duration > 0) expect(positionOf(after)).toBeLessThanOrEqual(duration);
      }
    });
  });

  it("the slider ends at the duration, or at 100 while that is unknown", () => {
    holds(playbacks, (now) => expect(seekMaximum(now)).toBe(now.duration > 0 ? now.duration : 100));
  });

  it("restores stored state paused at the same second, and loads nothing", () => {
    holds(playbacks, (now) => {
      const saved = parsePlayer(serializePlayer(now, true))!;
      const back = restore(initialPlayback, saved);
      const isEmpty = now.queue.index < 0;
      expect(back.queue).toEqual(now.queue);
      expect(back).toMatchObject({
        isPlaying: false,
        isLoading: false,
        isRestored: !isEmpty,
        currentTime: isEmpty ? 0 : positionOf(now),
        duration: isEmpty ? 0 : now.duration,
        volume: now.volume,
        rate: now.rate,
        isList: now.isList,
        goesOn: now.goesOn,
        selection: 0,
      });
    });
  });
});
