import { Pause, Play } from "#site/ui/icons.tsx";
import type { ReactNode } from "react";
import { playAttributes } from "#site/document/early-play.ts";
import { Button } from "#site/ui/button.tsx";
import { renew, toggle, type Track } from "./core/playback.ts";
import { useIsOtherList, usePlayState, useStep } from "./state.ts";
import { usePlayQueue, type Start } from "./use-play.ts";

type PlayButtonProps = {
  /** The new queue; the first track plays. */
  tracks: Track[];
  /** Whether the tracks play as a list, one after another. */
  isList?: boolean;
  size?: "md" | "lg";
  children: ReactNode;
};

/** The handler of Play: plays the queue from its start, or pauses and resumes the track if it is current. */
export function usePlayPress(tracks: Track[], from: Start) {
  const track = tracks[from.index ?? 0];
  const ofTrack = usePlayState(track?.id ?? -1);
  const isOther = useIsOtherList(from.isList ? tracks : null);
  const state = isOther ? "elsewhere" : ofTrack;
  const playQueue = usePlayQueue();
  const step = useStep();
  const press = () =>
    !track || state === "elsewhere"
      ? playQueue(tracks, from)
      : step((now) => toggle(state === "playing" ? now : renew(now, track)));
  return { state, press };
}

/** Plays the first track. If it is current (for a list, in this list), pauses and resumes it. */
export function PlayButton({ tracks, isList, size, children }: PlayButtonProps) {
  const [first] = tracks;
  const { state, press } = usePlayPress(tracks, { isList });
  if (!first?.audioUrl) return null;
  const Icon = state === "playing" ? Pause : Play;
  return (
    <Button
      tone="primary"
      size={size}
      className="script-only"
      onClick={press}
      {...playAttributes(first.audioUrl)}
    >
      <Icon aria-hidden size={16} fill="currentColor" />
      <span>{state === "playing" ? "Pause" : children}</span>
    </Button>
  );
}
