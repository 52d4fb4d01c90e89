import { useStore } from "jotai";
import { useCallback } from "react";
import { note } from "#site/analytics/notes.ts";
import { copyLink } from "#site/shell/copy-link.ts";
import { useToast } from "#site/shell/toast.ts";
import { currentTrack, positionOf } from "./core/playback.ts";
import { playbackAtom } from "./state.ts";

/** Copies a link to the current episode at the current second. */
export function useCopyTimestampLink() {
  const store = useStore();
  const say = useToast();
  return useCallback(async () => {
    const playback = store.get(playbackAtom);
    const track = currentTrack(playback);
    if (!track) return;
    note({ type: "engagement", metadata: { action: "copy_link" }, content: `episode ${track.id}` });
    await copyLink(timestampUrl(location.origin, track.id, positionOf(playback)), say);
  }, [store, say]);
}

export function timestampUrl(origin: string, id: number, seconds: number) {
  const whole = Math.floor(seconds);
  return `${origin}/episode/${id}${whole > 0 ? `?t=${whole}` : ""}`;
}
