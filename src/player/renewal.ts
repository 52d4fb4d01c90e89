import { useStore } from "jotai";
import { useEffect } from "react";
import { fetchEpisode } from "./details.ts";
import { currentTrack, renew, retry, type Playback, type Track } from "./playback.ts";
import { playbackAtom } from "./state.ts";

/** A track that could not be loaded, and whether it was to play. */
export type Failure = { track: Track; wasPlaying: boolean };

/** What has just failed; null where nothing has. */
export function failureOf(before: Playback, now: Playback): Failure | null {
  const track = currentTrack(now);
  const hasFailed = now.error === "failed" && before.error !== "failed";
  return track && hasFailed ? { track, wasPlaying: before.isPlaying } : null;
}

/** Loads the recording at `audioUrl` in place of the failed one, from its place, unless the listener has gone on meanwhile. */
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
 * The stored queue may have a recording that the owner has replaced since, whose file is gone: where one cannot be loaded,
 * the episode's own is.
 */
export function useRenewal() {
  const store = useStore();
  useEffect(() => {
    /** Each is loaded once: no two replace each other in turn. */
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
