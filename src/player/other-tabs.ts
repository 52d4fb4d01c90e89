import { useAtomValue } from "jotai";
import { useEffect, useRef } from "react";
import { playbackAtom, useStep } from "./state.ts";

/** Null in a Firefox that lets the site store nothing: there a channel is refused. */
function openChannel() {
  try {
    return new BroadcastChannel("player");
  } catch {
    return null;
  }
}

/** Pauses this tab when another tab of the site plays. */
export function useOtherTabs() {
  const { isPlaying } = useAtomValue(playbackAtom);
  const step = useStep();
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const opened = openChannel();
    if (!opened) return;
    opened.addEventListener("message", () =>
      step((now) => (now.isPlaying ? { ...now, isPlaying: false } : now)),
    );
    channel.current = opened;
    return () => opened.close();
  }, [step]);
  useEffect(() => {
    if (isPlaying) channel.current?.postMessage("playing");
  }, [isPlaying]);
}
