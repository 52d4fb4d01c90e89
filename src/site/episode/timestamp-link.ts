import { useCallback, type MouseEvent } from "react";
import type { Track } from "#site/player/core/playback.ts";
import { usePlayFrom } from "#site/player/use-play.ts";

/** Props of a link to a timestamp of the episode. It plays in the player; without scripts the page opens at `?t=`. */
export function useTimestampLink(track: Track) {
  const playFrom = usePlayFrom();
  return (start: number) => ({
    href: `?t=${Math.floor(start)}`,
    onClick(event: MouseEvent) {
      if (opensPage(event, track)) return;
      event.preventDefault();
      playFrom(track, start);
    },
  });
}

/** Ref of an element whose HTML links to timestamps, as rendered show notes do. */
export function useTimestampsIn(track: Track) {
  const playFrom = usePlayFrom();
  return useCallback(
    (element: HTMLElement) => {
      const play = (event: globalThis.MouseEvent) => {
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        const [, start] = /^\?t=(\d+)$/.exec(link?.getAttribute("href") ?? "") ?? [];
        if (start === undefined || opensPage(event, track)) return;
        event.preventDefault();
        playFrom(track, Number(start));
      };
      element.addEventListener("click", play);
      return () => element.removeEventListener("click", play);
    },
    [playFrom, track],
  );
}

const opensPage = ({ metaKey, ctrlKey }: Pick<MouseEvent, "metaKey" | "ctrlKey">, { audioUrl }: Track) =>
  !audioUrl || metaKey || ctrlKey;
