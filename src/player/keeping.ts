import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { STORAGE_KEY } from "#site/document/early-play.ts";
import { readKept, restore, writeKept } from "./kept.ts";
import type { Playback } from "./playback.ts";
import { shortcutsAtom } from "./shortcuts.ts";
import { playbackAtom } from "./state.ts";

/** Milliseconds between two writings while it plays. */
const EVERY = 5000;

const restoreAtom = atom(null, (get, set, text: string | null) => {
  const kept = readKept(text);
  if (!kept) return;
  set(shortcutsAtom, kept.shortcuts);
  set(playbackAtom, restore(get(playbackAtom), kept));
});

const textAtom = atom((get) => writeKept(get(playbackAtom), get(shortcutsAtom)));

/** Brings back what an earlier visit left, and keeps what this one changes. */
export function useKeeping() {
  const store = useStore();
  useEffect(() => {
    const memory = openMemory();
    if (!memory) return;
    store.set(restoreAtom, memory.read());
    let written = store.get(playbackAtom);
    let writtenAt = Number.NEGATIVE_INFINITY;
    const write = () => {
      written = store.get(playbackAtom);
      writtenAt = performance.now();
      memory.write(store.get(textAtom));
    };
    const look = () => {
      const isDue = performance.now() - writtenAt > EVERY;
      if (isDue || !isSameButForTime(written, store.get(playbackAtom))) write();
    };
    // What sleeps here follows the tab that is listened to.
    const hear = ({ key, newValue }: StorageEvent) => {
      if (key !== STORAGE_KEY || !store.get(playbackAtom).isRestored) return;
      memory.hasWritten(newValue);
      store.set(restoreAtom, newValue);
    };
    const stops = [store.sub(playbackAtom, look), store.sub(shortcutsAtom, write)];
    addEventListener("storage", hear);
    addEventListener("pagehide", write);
    document.addEventListener("visibilitychange", write);
    return () => {
      for (const stop of stops) stop();
      removeEventListener("storage", hear);
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
  before.selection === now.selection;

/** The storage under our key; null where it is forbidden. A tab writes only what it changed itself. */
function openMemory() {
  let storage: Storage | null;
  let last: string | null;
  try {
    storage = localStorage;
    last = storage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
  return {
    read: () => last,
    hasWritten(text: string | null) {
      last = text;
    },
    write(text: string) {
      if (text === last) return;
      last = text;
      try {
        storage?.setItem(STORAGE_KEY, text);
      } catch (error) {
        // Full: it plays on without a memory.
        console.warn(error);
        storage = null;
      }
    },
  };
}
