import { atom, useAtom, useAtomValue, useStore } from "jotai";
import { useEffect } from "react";
import { currentTrack, positionOf, type Playback } from "./playback.ts";
import { playbackAtom } from "./state.ts";

/** When it is to fall silent: at a time (milliseconds UTC) so many minutes on, or at the end of the episode with this id. */
export type Sleep = { minutes: number; at: number } | { endOf: number };

export const sleepMinutes = [5, 15, 30, 45, 60];

export const sleepAtom = atom<Sleep | null>(null);

/** Seconds that are left; null while nobody knows, or where another episode than the one meant is selected. */
export function sleepLeft(sleep: Sleep, playback: Playback, now: number) {
  if ("at" in sleep) return Math.max(0, (sleep.at - now) / 1000);
  const { duration, rate } = playback;
  if (isElsewhere(sleep, playback) || duration <= 0) return null;
  return Math.max(0, (duration - positionOf(playback)) / rate);
}

const isElsewhere = (sleep: Sleep, playback: Playback) =>
  "endOf" in sleep && currentTrack(playback)?.id !== sleep.endOf;

/** Seconds in which it fades out. */
const FADING = 12;

export const fadeOf = (left: number) => Math.min(1, left / FADING);

/** "12 min", and the last minute by its seconds. */
export const leftLabel = (left: number) =>
  left > 60 ? `${Math.ceil(left / 60)} min` : `${Math.ceil(left)} s`;

/** Milliseconds. */
const OFTEN = 500;

/** Seconds left of the sleep timer, which this counts down; null while it is off. */
const leftAtom = atom<number | null>(null);
export const useSleepLeft = () => useAtomValue(leftAtom);

/** Fades the player out when its time has come, and pauses it. */
export function useSleep() {
  const store = useStore();
  const [sleep, setSleep] = useAtom(sleepAtom);
  useEffect(() => {
    if (!sleep) return;
    const look = () => {
      const playback = store.get(playbackAtom);
      const left = sleepLeft(sleep, playback, Date.now());
      if (isElsewhere(sleep, playback)) return setSleep(null);
      if (left === 0) {
        store.set(playbackAtom, { ...playback, isPlaying: false });
        return setSleep(null);
      }
      store.set(leftAtom, left);
      const fade = left === null ? 1 : fadeOf(left);
      if (fade !== playback.fade) store.set(playbackAtom, { ...playback, fade });
    };
    look();
    const timer = setInterval(look, OFTEN);
    return () => {
      clearInterval(timer);
      store.set(leftAtom, null);
      store.set(playbackAtom, (now) => ({ ...now, fade: 1 }));
    };
  }, [sleep, setSleep, store]);
}
