import { atom, useSetAtom } from "jotai";
import { useEffect } from "react";
import { progressAtom, resumeAt } from "./core/progress.ts";
import { append, currentTrack, renew, retry, seek, start, type Track } from "./core/playback.ts";
import { playerNeededAtom } from "./needed.ts";
import { playbackAtom } from "./state.ts";

/** Mounts the player before a press, so that it can answer sooner. */
function usePlayer() {
  const setNeeded = useSetAtom(playerNeededAtom);
  useEffect(() => setNeeded((times) => times + 1), [setNeeded]);
}

export type Start = {
  /** Index of the track that plays first; by default the first with audio. */
  index?: number;
  /** Seconds; by default the stored position. */
  at?: number;
  /** Whether the tracks play as a list, not only the first. */
  isList?: boolean;
};

const playQueueAtom = atom(null, (get, set, tracks: Track[], { index, at, isList }: Start = {}) => {
  const playback = start(get(playbackAtom), tracks, index, isList);
  const track = currentTrack(playback);
  const from = at ?? resumeAt(track ? get(progressAtom).get(track.id) : undefined);
  set(playbackAtom, from > 0 ? seek(playback, from) : { ...playback, mayResume: at === undefined });
});

/** Replaces the queue and plays. */
export function usePlayQueue() {
  usePlayer();
  return useSetAtom(playQueueAtom);
}

const playFromAtom = atom(null, (get, set, track: Track, at: number) => {
  const playback = renew(get(playbackAtom), track);
  if (currentTrack(playback)?.id !== track.id) return set(playQueueAtom, [track], { at });
  const isLoaded = playback.error !== "failed" && !playback.isRestored;
  set(playbackAtom, seek(isLoaded ? { ...playback, isPlaying: true, error: null } : retry(playback), at));
});

/** Plays an episode from `at` seconds. Keeps the queue if the episode is current. */
export function usePlayFrom() {
  usePlayer();
  return useSetAtom(playFromAtom);
}

const appendAtom = atom(null, (get, set, track: Track) =>
  set(playbackAtom, append(get(playbackAtom), track)),
);

/** Appends an episode to the queue. */
export function useAppend() {
  usePlayer();
  return useSetAtom(appendAtom);
}
