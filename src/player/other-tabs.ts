import { useAtomValue, useStore } from "jotai";
import { useEffect, useRef } from "react";
import { changeFromOtherTab } from "./player-storage.ts";
import { playbackAtom } from "./state.ts";

/** Null in a Firefox that blocks storage: the constructor throws there. */
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
  const store = useStore();
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const opened = openChannel();
    if (!opened) return;
    const pause = () =>
      store.set(playbackAtom, (now) => (now.isPlaying ? { ...now, isPlaying: false } : now));
    opened.addEventListener("message", () => changeFromOtherTab(store, pause));
    channel.current = opened;
    return () => opened.close();
  }, [store]);
  useEffect(() => {
    if (isPlaying) channel.current?.postMessage("playing");
  }, [isPlaying]);
}
