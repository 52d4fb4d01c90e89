import { Pause, Play } from "#site/ui/icons.tsx";
import type { ReactNode } from "react";
import { playAttributes } from "#site/document/early-play.ts";
import { Button } from "#site/ui/button.tsx";
import { toggle, type Track } from "./playback.ts";
import { usePlayState, useRetry, useStep } from "./state.ts";
import { usePlayQueue } from "./use-play.ts";

type PlayButtonProps = {
  /** The first of them is played; the others follow. */
  tracks: Track[];
  size?: "md" | "lg";
  children: ReactNode;
};

/** Plays the first of the tracks; once the player has it, pauses it and goes on. */
export function PlayButton({ tracks, size, children }: PlayButtonProps) {
  const [first] = tracks;
  const state = usePlayState(first?.id ?? -1);
  const playQueue = usePlayQueue();
  const step = useStep();
  const [hasFailed] = useRetry();
  if (!first?.audioUrl) return null;
  // What failed may be an earlier visit's: the page knows where the audio is now.
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
