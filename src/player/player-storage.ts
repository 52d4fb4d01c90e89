import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { STORAGE_KEY } from "#site/document/early-play.ts";
import { followTab, parsePlayer, restore, serializePlayer } from "./player-json.ts";
import { currentTrack, type Playback } from "./core/playback.ts";
import { shortcutsAtom } from "./shortcuts.ts";
import { playbackAtom } from "./state.ts";

type Store = ReturnType<typeof useStore>;

/** Milliseconds between two writes while it plays. */
const EVERY = 5000;

const restoreAtom = atom(null, (get, set, text: string | null) => {
  const saved = parsePlayer(text);
  if (!saved) return;
  set(shortcutsAtom, saved.shortcuts);
  set(playbackAtom, restore(get(playbackAtom), saved));
});

const followAtom = atom(null, (get, set, text: string | null) => {
  const saved = parsePlayer(text);
  const playback = get(playbackAtom);
  const after = saved && followTab(playback, saved);
  if (!after || after === playback) return;
  set(shortcutsAtom, saved.shortcuts);
  set(playbackAtom, after);
});

/** Whether a change comes from another tab, which stores it. */
const isFromOtherTabAtom = atom(false);

/** Applies changes from another tab, without storing them again. */
export function changeFromOtherTab(store: Store, change: () => void) {
  store.set(isFromOtherTabAtom, true);
  change();
  store.set(isFromOtherTabAtom, false);
}

const textAtom = atom((get) => serializePlayer(get(playbackAtom), get(shortcutsAtom)));

/** Restores the player from the last visit, and saves its changes. */
export function usePlayerStorage() {
  const store = useStore();
  useEffect(() => {
    const storage = openStorage();
    if (!storage) return;
    const isEmpty = !currentTrack(store.get(playbackAtom));
    store.set(restoreAtom, storage.read());
    // The restored state serialised again is not a change; an episode appended before is one.
    if (isEmpty && store.get(playbackAtom).isRestored) storage.setLast(store.get(textAtom));
    let written = store.get(playbackAtom);
    let writtenAt = Number.NEGATIVE_INFINITY;
    const note = () => {
      written = store.get(playbackAtom);
      writtenAt = performance.now();
    };
    const write = () => {
      note();
      storage.write(store.get(textAtom));
    };
    /** The current state is older than another tab's stored one: only write later changes. */
    const skip = () => {
      note();
      storage.setLast(store.get(textAtom));
    };
    const writeIfDue = () => {
      const isDue = performance.now() - writtenAt > EVERY;
      if (isDue || !isSameButForTime(written, store.get(playbackAtom))) write();
    };
    const unlessFromOtherTab = (change: () => void) => () =>
      store.get(isFromOtherTabAtom) ? skip() : change();
    const followOtherTab = ({ key, newValue }: StorageEvent) => {
      if (key !== STORAGE_KEY) return;
      changeFromOtherTab(store, () => store.set(followAtom, newValue));
      skip();
    };
    const stops = [
      store.sub(playbackAtom, unlessFromOtherTab(writeIfDue)),
      store.sub(shortcutsAtom, unlessFromOtherTab(write)),
    ];
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

/** The stored text; null if storage is forbidden. A tab writes only its own changes. */
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
        // The storage is full: the player continues without it.
        console.warn(error);
        local = null;
      }
    },
  };
}
