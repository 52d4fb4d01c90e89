import { atom, useAtomValue, useSetAtom } from "jotai";
import { useCallback, useMemo } from "react";
import { currentTrack, positionOf, retry, initialPlayback, type Playback } from "./playback.ts";

/** What the player shows. The audio element is the truth of time and loading; `Player` keeps the two together. */
export const playbackAtom = atom<Playback>(initialPlayback);

const currentIdAtom = atom((get) => currentTrack(get(playbackAtom))?.id ?? null);
const isPlayingAtom = atom((get) => get(playbackAtom).isPlaying);

/** Whether its bar lies across the bottom of the window. */
export const useIsPlayerShown = () => useAtomValue(currentIdAtom) !== null;

/** What the player is doing with this episode. */
export function usePlayState(id: number) {
  const isCurrent = useAtomValue(currentIdAtom) === id;
  const isPlaying = useAtomValue(isPlayingAtom);
  if (!isCurrent) return "elsewhere";
  return isPlaying ? "playing" : "paused";
}

/** Which of these parts of an episode, in their order, is being heard; -1 while another episode is, or none. */
export function usePart(id: number, parts: readonly { start: number }[]) {
  const part = useMemo(
    () =>
      atom((get) => {
        const playback = get(playbackAtom);
        return currentTrack(playback)?.id === id ? partAt(parts, positionOf(playback)) : -1;
      }),
    [id, parts],
  );
  return useAtomValue(part);
}

/** Seconds: an element that was sent to a moment may say that it is just before it. */
const SLACK = 0.05;

export const partAt = (parts: readonly { start: number }[], seconds: number) =>
  parts.findLastIndex(({ start }) => start <= seconds + SLACK);

const hasFailedAtom = atom((get) => get(playbackAtom).error === "failed");

const retryAtom = atom(null, (get, set) => set(playbackAtom, retry(get(playbackAtom))));

/** Whether the current episode could not be loaded, and what tries it again. */
export const useRetry = () => [useAtomValue(hasFailedAtom), useSetAtom(retryAtom)] as const;

/** Changes the playback by one of its pure steps. */
export function useStep() {
  const setPlayback = useSetAtom(playbackAtom);
  return useCallback((step: (playback: Playback) => Playback) => setPlayback(step), [setPlayback]);
}
