import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { STORAGE_KEY } from "#site/document/early-play.ts";
import { parsePlayer, restore, serializePlayer } from "./player-json.ts";
import { currentTrack, type Playback } from "./playback.ts";
import { emptyQueue } from "./queue.ts";
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

/** In one step, since what this tab was at is not to be stored in between. */
const followAtom = atom(null, (_get, set, text: string | null) => {
  set(playbackAtom, setAside);
  set(restoreAtom, text);
});

/** Audio that is loaded already is loaded again where somebody plays it. */
const setAside = (playback: Playback): Playback => ({
  ...playback,
  isRestored: true,
  isLoading: false,
  isWaiting: false,
  seekTo: null,
});

/** A player that has not played yet follows the tab that plays; one that is paused, where its episode goes on there. */
function mayFollow(playback: Playback, text: string | null) {
  if (playback.isRestored) return true;
  const track = currentTrack(playback);
  const { tracks, index } = parsePlayer(text)?.queue ?? emptyQueue;
  return track !== null && !playback.isPlaying && tracks[index]?.id === track.id;
}

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
    const followOtherTab = ({ key, newValue }: StorageEvent) => {
      if (key !== STORAGE_KEY || !mayFollow(store.get(playbackAtom), newValue)) return;
      storage.setLast(newValue);
      store.set(followAtom, newValue);
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
