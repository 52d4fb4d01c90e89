import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { STORAGE_KEY } from "#site/document/early-play.ts";
import { parsePlayer, restore, serializePlayer } from "./player-json.ts";
import type { Playback } from "./playback.ts";
import { shortcutsAtom } from "./shortcuts.ts";
import { playbackAtom } from "./state.ts";

/** Milliseconds between two writes while it plays. */
const EVERY = 5000;

const restoreAtom = atom(null, (get, set, text: string | null) => {
  const saved = parsePlayer(text);
  if (!saved) return;
  set(shortcutsAtom, saved.shortcuts);
  set(playbackAtom, restore(get(playbackAtom), saved));
});

const textAtom = atom((get) => serializePlayer(get(playbackAtom), get(shortcutsAtom)));

/** Restores the player from the last visit, and saves its changes. */
export function usePlayerStorage() {
  const store = useStore();
  useEffect(() => {
    const storage = openStorage();
    if (!storage) return;
    store.set(restoreAtom, storage.read());
    let written = store.get(playbackAtom);
    let writtenAt = Number.NEGATIVE_INFINITY;
    const write = () => {
      written = store.get(playbackAtom);
      writtenAt = performance.now();
      storage.write(store.get(textAtom));
    };
    const writeIfDue = () => {
      const isDue = performance.now() - writtenAt > EVERY;
      if (isDue || !isSameButForTime(written, store.get(playbackAtom))) write();
    };
    // A restored player that has not played yet follows the tab that plays.
    const followOtherTab = ({ key, newValue }: StorageEvent) => {
      if (key !== STORAGE_KEY || !store.get(playbackAtom).isRestored) return;
      storage.setLast(newValue);
      store.set(restoreAtom, newValue);
    };
    const stops = [store.sub(playbackAtom, writeIfDue), store.sub(shortcutsAtom, write)];
    addEventListener("storage", followOtherTab);
    addEventListener("pagehide", write);
    document.addEventListener("visibilitychange", write);
    return () => {
      for (const stop of stops) stop();
      removeEventListener("storage", followOtherTab);
      removeEventListener("pagehide", write);
      document.removeEventListener("visibilitychange", write);
    };
  }, [store]);
}

const isSameButForTime = (before: Playback, now: Playback) =>
  before.queue === now.queue &&
  before.isPlaying === now.isPlaying &&
  before.duration === now.duration &&
  before.volume === now.volume &&
  before.rate === now.rate &&
  before.goesOn === now.goesOn &&
  before.selection === now.selection;

/** The stored text; null where storage is forbidden. A tab writes only its own changes. */
function openStorage() {
  let local: Storage | null;
  let last: string | null;
  try {
    local = localStorage;
    last = local.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
  return {
    read: () => last,
    setLast(text: string | null) {
      last = text;
    },
    write(text: string) {
      if (text === last) return;
      last = text;
      try {
        local?.setItem(STORAGE_KEY, text);
      } catch (error) {
        // The storage is full: the player goes on without it.
        console.warn(error);
        local = null;
      }
    },
  };
}
