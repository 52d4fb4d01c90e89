import { atom, useSetAtom } from "jotai";
import { useEffect } from "react";
import { progressAtom, resumeAt } from "./progress.ts";
import { append, currentTrack, retry, seek, start, type Track } from "./playback.ts";
import { Player } from "./player.tsx";
import { playerAtom } from "./slot.tsx";
import { playbackAtom } from "./state.ts";

/** Puts the player into its slot, where it stays: before the press, for browsers let only that start a sound. */
function usePlayer() {
  const place = useSetAtom(playerAtom);
  useEffect(() => place((slot) => slot ?? { Player }), [place]);
}

const playQueueAtom = atom(null, (get, set, tracks: Track[], index?: number, at?: number) => {
  const playback = start(get(playbackAtom), tracks, index);
  const track = currentTrack(playback);
  const from = at ?? resumeAt(track ? get(progressAtom).get(track.id) : undefined);
  set(playbackAtom, from > 0 ? seek(playback, from) : playback);
});

/** Makes these the queue and plays the one at `index`: from `at` seconds, or else from where the listener stopped. */
export function usePlayQueue() {
  usePlayer();
  return useSetAtom(playQueueAtom);
}

const playFromAtom = atom(null, (get, set, track: Track, at: number) => {
  const playback = get(playbackAtom);
  if (currentTrack(playback)?.id !== track.id) return set(playQueueAtom, [track], 0, at);
  const isLoaded = playback.error !== "failed" && !playback.isRestored;
  set(playbackAtom, seek(isLoaded ? { ...playback, isPlaying: true, error: null } : retry(playback), at));
});

/** Plays an episode from a point in it; the queue stays when the episode is current already. */
export function usePlayFrom() {
  usePlayer();
  return useSetAtom(playFromAtom);
}

const appendAtom = atom(null, (get, set, track: Track) =>
  set(playbackAtom, append(get(playbackAtom), track)),
);

/** Puts an episode at the end of the queue. */
export function useAppend() {
  usePlayer();
  return useSetAtom(appendAtom);
}
