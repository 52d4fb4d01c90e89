import { atom, useAtom, useAtomValue, useStore } from "jotai";
import { useEffect } from "react";
import { currentTrack, positionOf, type Playback } from "./core/playback.ts";
import { playbackAtom } from "./state.ts";

/** Pauses `at` a time (milliseconds UTC), `minutes` after it was set, or at the end of the episode with the id `endOf`. */
export type Sleep = { minutes: number; at: number } | { endOf: number };

export const sleepMinutes = [5, 15, 30, 45, 60];

export const sleepAtom = atom<Sleep | null>(null);

/** Seconds left; null while the duration is unknown, or if another episode is selected. */
export function sleepLeft(sleep: Sleep, playback: Playback, now: number) {
  if ("at" in sleep) return Math.max(0, (sleep.at - now) / 1000);
  const { duration, rate } = playback;
  if (isElsewhere(sleep, playback) || duration <= 0) return null;
  return Math.max(0, (duration - positionOf(playback)) / rate);
}

const isElsewhere = (sleep: Sleep, playback: Playback) =>
  "endOf" in sleep && currentTrack(playback)?.id !== sleep.endOf;

/** Seconds of the fade-out. */
const FADE = 12;

export const fadeOf = (left: number) => Math.min(1, left / FADE);

/** "12 min", and "45 s" in the last minute. */
export const leftLabel = (left: number) =>
  left > 60 ? `${Math.ceil(left / 60)} min` : `${Math.ceil(left)} s`;

/** Milliseconds. */
const INTERVAL = 500;

/** Also if the listener has returned to the episode since. */
const hasEnded = (sleep: Sleep, { sleepsAtEnd }: Playback) => "endOf" in sleep && !sleepsAtEnd;

/** Seconds left of the sleep timer; null while it is off. */
const leftAtom = atom<number | null>(null);
export const useSleepLeft = () => useAtomValue(leftAtom);

/** Runs the sleep timer: fades out, then pauses. */
export function useSleepTimer() {
  const store = useStore();
  const [sleep, setSleep] = useAtom(sleepAtom);
  useEffect(() => {
    if (!sleep) return;
    const tick = () => {
      const playback = store.get(playbackAtom);
      const left = sleepLeft(sleep, playback, Date.now());
      if (isElsewhere(sleep, playback) || hasEnded(sleep, playback)) return setSleep(null);
      // The `ended` event pauses: the position may reach the end before it fires.
      if (left === 0 && "at" in sleep) {
        store.set(playbackAtom, { ...playback, isPlaying: false });
        return setSleep(null);
      }
      store.set(leftAtom, left);
      const fade = left === null ? 1 : fadeOf(left);
      if (fade !== playback.fade) store.set(playbackAtom, { ...playback, fade });
    };
    store.set(playbackAtom, (now) => ({ ...now, sleepsAtEnd: "endOf" in sleep }));
    tick();
    const timer = setInterval(tick, INTERVAL);
    return () => {
      clearInterval(timer);
      store.set(leftAtom, null);
      store.set(playbackAtom, (now) => ({ ...now, fade: 1, sleepsAtEnd: false }));
    };
  }, [sleep, setSleep, store]);
}
