import { useAtomValue, useStore } from "jotai";
import { useEffect } from "react";
import { currentTrack, next, placeOf, previous, seek, skip, toggle, type Playback } from "./playback.ts";
import { hasNext, hasPrevious } from "./queue.ts";
import { BACK, FORWARD } from "./shortcuts.ts";
import { playbackAtom, useStep } from "./state.ts";

/** The system's own controls: the lock screen, a headset's buttons, the keyboard's media keys. */
export function useMediaSession() {
  const playback = useAtomValue(playbackAtom);
  // Not everywhere, though the types say so.
  const session = "mediaSession" in navigator ? navigator.mediaSession : null;
  useMetadata(session, playback);
  usePosition(session, playback);
  useActions(session, playback);
}

type Session = MediaSession | null;

function useMetadata(session: Session, playback: Playback) {
  const track = currentTrack(playback);
  useEffect(() => {
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
  }, [session, track]);
}

/** It counts on by itself, so it is told only of what changes that. */
function usePosition(session: Session, { isPlaying, duration, rate, seekTo, selection, queue }: Playback) {
  const store = useStore();
  useEffect(() => {
    if (!session) return;
    session.playbackState = queue.index < 0 ? "none" : isPlaying ? "playing" : "paused";
    if (duration <= 0) return session.setPositionState();
    const position = Math.min(placeOf(store.get(playbackAtom)), duration);
    session.setPositionState({ duration, playbackRate: rate, position });
  }, [session, store, isPlaying, duration, rate, seekTo, selection, queue.index]);
}

function useActions(session: Session, { queue }: Playback) {
  const step = useStep();
  const canGoBack = hasPrevious(queue);
  const canGoOn = hasNext(queue);
  useEffect(() => {
    if (!session) return;
    const to = (isPlaying: boolean) => () => step((now) => (now.isPlaying === isPlaying ? now : toggle(now)));
    const by = (sign: 1 | -1, usual: number) => (details: MediaSessionActionDetails) =>
      step((now) => skip(now, details.seekOffset ? sign * details.seekOffset : usual));
    const actions: Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>> = {
      play: to(true),
      pause: to(false),
      previoustrack: canGoBack ? () => step(previous) : null,
      nexttrack: canGoOn ? () => step(next) : null,
      seekbackward: by(-1, BACK),
      seekforward: by(1, FORWARD),
      seekto: ({ seekTime }) => step((now) => (seekTime === undefined ? now : seek(now, seekTime))),
    };
    for (const [action, handler] of Object.entries(actions)) {
      session.setActionHandler(action as MediaSessionAction, handler);
    }
  }, [session, step, canGoBack, canGoOn]);
}
