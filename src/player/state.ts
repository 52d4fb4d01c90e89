import { atom, useAtomValue, useSetAtom } from "jotai";
import { useCallback } from "react";
import { currentTrack, retry, seek, silence, start, type Playback, type Track } from "./playback.ts";

/** What the player shows. The audio element is the truth of time and loading; `Player` keeps the two together. */
export const playbackAtom = atom<Playback>(silence);

const currentIdAtom = atom((get) => currentTrack(get(playbackAtom))?.id ?? null);
const isPlayingAtom = atom((get) => get(playbackAtom).isPlaying);

/** What the player is doing with this episode. */
export function usePlayState(id: number) {
  const isCurrent = useAtomValue(currentIdAtom) === id;
  const isPlaying = useAtomValue(isPlayingAtom);
  if (!isCurrent) return "elsewhere";
  return isPlaying ? "playing" : "paused";
}

const playQueueAtom = atom(null, (get, set, tracks: Track[], index: number, at: number) => {
  const playback = start(get(playbackAtom), tracks, index);
  set(playbackAtom, at > 0 ? seek(playback, at) : playback);
});

/** Makes these the queue and plays the one at `index`, from `at` seconds. */
export const usePlayQueue = () => useSetAtom(playQueueAtom);

const playFromAtom = atom(null, (get, set, track: Track, at: number) => {
  const playback = get(playbackAtom);
  if (currentTrack(playback)?.id !== track.id) return set(playQueueAtom, [track], 0, at);
  const isBroken = playback.trouble === "failed";
  set(playbackAtom, seek(isBroken ? retry(playback) : { ...playback, isPlaying: true, trouble: null }, at));
});

const hasFailedAtom = atom((get) => get(playbackAtom).trouble === "failed");

const retryAtom = atom(null, (get, set) => set(playbackAtom, retry(get(playbackAtom))));

/** Whether the current episode could not be loaded, and what tries it again. */
export const useRetry = () => [useAtomValue(hasFailedAtom), useSetAtom(retryAtom)] as const;

/** Plays an episode from a point in it; the queue stays when the episode is current already. */
export const usePlayFrom = () => useSetAtom(playFromAtom);

/** Changes the playback by one of its pure steps. */
export function useStep() {
  const setPlayback = useSetAtom(playbackAtom);
  return useCallback((step: (playback: Playback) => Playback) => setPlayback(step), [setPlayback]);
}
