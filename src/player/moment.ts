import { useStore } from "jotai";
import { useCallback } from "react";
import { copyLink } from "#site/shell/copy-link.ts";
import { useToast } from "#site/shell/toast.ts";
import { currentTrack, positionOf } from "./playback.ts";
import { playbackAtom } from "./state.ts";

/** Copies the address of what is being heard, at the second where it is. */
export function useCopyMoment() {
  const store = useStore();
  const say = useToast();
  return useCallback(async () => {
    const playback = store.get(playbackAtom);
    const track = currentTrack(playback);
    if (track) await copyLink(momentUrl(location.origin, track.id, positionOf(playback)), say);
  }, [store, say]);
}

export function momentUrl(origin: string, id: number, seconds: number) {
  const whole = Math.floor(seconds);
  return `${origin}/episode/${id}${whole > 0 ? `?t=${whole}` : ""}`;
}
