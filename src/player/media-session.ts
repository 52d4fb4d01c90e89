import { useAtomValue } from "jotai";
import { useEffect } from "react";
import {
  currentTrack,
  next,
  positionOf,
  previous,
  seek,
  skip,
  toggle,
  type Playback,
} from "./core/playback.ts";
import { hasNext, hasPrevious } from "./core/queue.ts";
import { BACK, FORWARD } from "./shortcuts.ts";
import { playbackAtom, useStep } from "./state.ts";

/** Media Session API: the lock screen, headset buttons, media keys. */
export function useMediaSession() {
  const playback = useAtomValue(playbackAtom);
  useMetadata(playback);
  usePosition(playback);
  useActions(playback);
}

/** Some browsers lack it, though the types say otherwise. */
const mediaSession = () => ("mediaSession" in navigator ? navigator.mediaSession : null);

function useMetadata(playback: Playback) {
  const track = currentTrack(playback);
  useEffect(() => {
    const session = mediaSession();
    if (!session || !track) return;
    const { title, show, picture } = track;
    session.metadata = new MediaMetadata({
      title,
      artist: show,
      artwork: picture ? [{ src: new URL(picture.src, location.href).href }] : [],
    });
    return () => {
      session.metadata = null;
    };
  }, [track]);
}

function usePosition(playback: Playback) {
  const { isPlaying, duration, rate, queue } = playback;
  const position = Math.min(Math.floor(positionOf(playback)), duration);
  const isEmpty = queue.index < 0;
  useEffect(() => {
    const session = mediaSession();
    if (!session) return;
    session.playbackState = isEmpty ? "none" : isPlaying ? "playing" : "paused";
    session.setPositionState(duration > 0 ? { duration, playbackRate: rate, position } : undefined);
  }, [isEmpty, isPlaying, duration, rate, position]);
}

function useActions({ queue }: Playback) {
  const step = useStep();
  const canGoBack = hasPrevious(queue);
  const canGoOn = hasNext(queue);
  useEffect(() => {
    const session = mediaSession();
    if (!session) return;
    const to = (isPlaying: boolean) => () => step((now) => (now.isPlaying === isPlaying ? now : toggle(now)));
    const by = (sign: 1 | -1, usual: number) => (details: MediaSessionActionDetails) =>
      step((now) => skip(now, details.seekOffset ? sign * details.seekOffset : usual));
    session.setActionHandler("play", to(true));
    session.setActionHandler("pause", to(false));
    session.setActionHandler("previoustrack", canGoBack ? () => step(previous) : null);
    session.setActionHandler("nexttrack", canGoOn ? () => step(next) : null);
    session.setActionHandler("seekbackward", by(-1, BACK));
    session.setActionHandler("seekforward", by(1, FORWARD));
    session.setActionHandler("seekto", ({ seekTime }) =>
      step((now) => (seekTime === undefined ? now : seek(now, seekTime))),
    );
  }, [step, canGoBack, canGoOn]);
}
