import { useAtomValue } from "jotai";
import { useEffect, useRef } from "react";
import { playbackAtom, useStep } from "./state.ts";

/** Pauses this tab when another tab of the site plays. */
export function useOtherTabs() {
  const { isPlaying } = useAtomValue(playbackAtom);
  const step = useStep();
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const opened = new BroadcastChannel("player");
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
