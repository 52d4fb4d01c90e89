import { atom, useAtomValue, useSetAtom } from "jotai";
import { useCallback, useMemo } from "react";
import { currentTrack, positionOf, initialPlayback, type Playback, type Track } from "./core/playback.ts";

/** The player's state. `Player` synchronizes it with the audio element, which owns time and loading. */
export const playbackAtom = atom<Playback>(initialPlayback);

const currentIdAtom = atom((get) => currentTrack(get(playbackAtom))?.id ?? null);
const isPlayingAtom = atom((get) => get(playbackAtom).isPlaying);

/** Whether the player bar is shown. */
export const useIsPlayerShown = () => useAtomValue(currentIdAtom) !== null;

/** The player's state for one episode; "elsewhere" while another is current. */
export function usePlayState(id: number) {
  const isCurrent = useAtomValue(currentIdAtom) === id;
  const isPlaying = useAtomValue(isPlayingAtom);
  if (!isCurrent) return "elsewhere";
  return isPlaying ? "playing" : "paused";
}

/** Whether the queue is not this list. */
export function useIsOtherList(tracks: Track[] | null) {
  const isOther = useMemo(
    () =>
      atom((get) => {
        const { isList, queue } = get(playbackAtom);
        return tracks !== null && (!isList || String(idsOf(tracks)) !== String(idsOf(queue.tracks)));
      }),
    [tracks],
  );
  return useAtomValue(isOther);
}

const idsOf = (tracks: Track[]) => tracks.map(({ id }) => id);

/** Index of the current part (chapter or paragraph, in order); -1 while another episode is current, or none. */
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

/** Seconds: after a seek, `currentTime` may be slightly less than the target. */
const SLACK = 0.05;

export const partAt = (parts: readonly { start: number }[], seconds: number) =>
  parts.findLastIndex(({ start }) => start <= seconds + SLACK);

/** Applies a pure function to the playback. */
export function useStep() {
  const setPlayback = useSetAtom(playbackAtom);
  return useCallback((step: (playback: Playback) => Playback) => setPlayback(step), [setPlayback]);
}
