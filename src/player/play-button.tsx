import { Pause, Play } from "#site/ui/icons.tsx";
import type { ReactNode } from "react";
import { playAttributes } from "#site/document/early-play.ts";
import { Button } from "#site/ui/button.tsx";
import { toggle, type Track } from "./playback.ts";
import { usePlayState, useRetry, useStep } from "./state.ts";
import { usePlayQueue } from "./use-play.ts";

type PlayButtonProps = {
  /** The new queue; the first track plays. */
  tracks: Track[];
  size?: "md" | "lg";
  children: ReactNode;
};

/** Plays the first track. While it is current, pauses and resumes it. */
export function PlayButton({ tracks, size, children }: PlayButtonProps) {
  const [first] = tracks;
  const state = usePlayState(first?.id ?? -1);
  const playQueue = usePlayQueue();
  const step = useStep();
  const [hasFailed] = useRetry();
  if (!first?.audioUrl) return null;
  // A failed track may be restored with an old address: the page has the current one.
  const press = () => (state === "elsewhere" || hasFailed ? playQueue(tracks) : step(toggle));
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
      {state === "playing" ? "Pause" : children}
    </Button>
  );
}
