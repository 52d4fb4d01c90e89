import type { MouseEvent } from "react";
import type { Track } from "#site/player/playback.ts";
import { usePlayFrom } from "#site/player/use-play.ts";

/** Props of a link to a timestamp of the episode. It plays in the player; without scripts the page opens at `?t=`. */
export function useTimestampLink(track: Track) {
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
