import type { MouseEvent } from "react";
import type { Track } from "#site/player/playback.ts";
import { usePlayFrom } from "#site/player/use-play.ts";

/** What makes a link go to a moment of the episode: in the player, or without scripts by its address. */
export function useMomentLink(track: Track) {
  const playFrom = usePlayFrom();
  return (start: number) => ({
    href: `?t=${Math.floor(start)}`,
    onClick(event: MouseEvent) {
      if (!track.audioUrl || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      playFrom(track, start);
    },
  });
}
