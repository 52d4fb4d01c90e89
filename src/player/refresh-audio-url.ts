import { useStore } from "jotai";
import { useEffect } from "react";
import { fetchEpisode } from "./details.ts";
import { currentTrack, renew, retry, type Playback, type Track } from "./core/playback.ts";
import { playbackAtom } from "./state.ts";

/** A track that could not be loaded, and whether it was to play. */
export type Failure = { track: Track; wasPlaying: boolean };

/** The track that has just failed; null if none has. */
export function failureOf(before: Playback, now: Playback): Failure | null {
  const track = currentTrack(now);
  const hasFailed = now.error === "failed" && before.error !== "failed";
  return track && hasFailed ? { track, wasPlaying: before.isPlaying } : null;
}

/**
 * Replaces the failed recording with that at `audioUrl`, at the same position, unless the listener has selected another
 * since.
 */
export function replaceFailed(
  playback: Playback,
  { track, wasPlaying }: Failure,
  audioUrl: string,
): Playback {
  const hasGoneOn = playback.error !== "failed" || currentTrack(playback)?.audioUrl !== track.audioUrl;
  const renewed = renew(playback, { ...track, audioUrl });
  return hasGoneOn || renewed === playback ? playback : { ...retry(renewed), isPlaying: wasPlaying };
}

/**
 * A stored queue may refer to a replaced recording, whose file is deleted. If a track fails to load, loads the
 * episode's current recording.
 */
export function useRenewal() {
  const store = useStore();
  useEffect(() => {
    /** Failed recordings, so that two do not replace each other endlessly. */
    const failed = new Set<string | null>();
    const replace = async (failure: Failure) => {
      failed.add(failure.track.audioUrl);
      const { audioUrl } = await fetchEpisode(failure.track.id);
      if (!audioUrl || failed.has(audioUrl)) return;
      store.set(playbackAtom, (now) => replaceFailed(now, failure, audioUrl));
    };
    let before = store.get(playbackAtom);
    const see = () => {
      const now = store.get(playbackAtom);
      const failure = failureOf(before, now);
      before = now;
      if (failure) replace(failure).catch(console.warn);
    };
    return store.sub(playbackAtom, see);
  }, [store]);
}
