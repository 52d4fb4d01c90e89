import { atom, useSetAtom } from "jotai";
import { currentTrack, retry, seek, start, type Track } from "./playback.ts";
import { Player } from "./player.tsx";
import { usePlayer } from "./slot.tsx";
import { playbackAtom } from "./state.ts";

const playQueueAtom = atom(null, (get, set, tracks: Track[], index: number, at: number) => {
  const playback = start(get(playbackAtom), tracks, index);
  set(playbackAtom, at > 0 ? seek(playback, at) : playback);
});

/** Makes these the queue and plays the one at `index`, from `at` seconds. */
export function usePlayQueue() {
  // Before the press: browsers let only that start a sound.
  usePlayer(Player);
  return useSetAtom(playQueueAtom);
}

const playFromAtom = atom(null, (get, set, track: Track, at: number) => {
  const playback = get(playbackAtom);
  if (currentTrack(playback)?.id !== track.id) return set(playQueueAtom, [track], 0, at);
  const isBroken = playback.trouble === "failed";
  set(playbackAtom, seek(isBroken ? retry(playback) : { ...playback, isPlaying: true, trouble: null }, at));
});

/** Plays an episode from a point in it; the queue stays when the episode is current already. */
export function usePlayFrom() {
  usePlayer(Player);
  return useSetAtom(playFromAtom);
}
