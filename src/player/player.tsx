import { useAtomValue } from "jotai";
import { useEffect, useRef, useState, type RefObject } from "react";
import { PrefetchPageLinks } from "react-router";
import { styled } from "#site/ui/retriable.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";
import { currentTrack, ended, loaded, troubled, type Playback } from "./playback.ts";
import { KEPT } from "./slot.tsx";
import { playbackAtom, useStep } from "./state.ts";

/**
 * The bar, and what goes with playing, are fetched when the first episode is selected or an earlier visit left one; what
 * plays is here already, as browsers want a press for that.
 */
const loadBar = styled(() => import("./deck/bar.tsx"));

/** Whether an earlier visit left something. Storage may be forbidden. */
function isKept() {
  try {
    return KEPT in localStorage;
  } catch {
    return false;
  }
}

/** One audio element for the whole visit, and the bar that plays it. */
export function Player() {
  const audio = useRef<HTMLAudioElement>(null);
  const playback = useAtomValue(playbackAtom);
  const step = useStep();
  const track = currentTrack(playback);
  const [wasKept] = useState(isKept);
  const bar = useLoaded(playback.selection || wasKept, loadBar);
  usePlaying(audio, playback);
  useSeeking(audio, playback);
  useSound(audio, playback);
  useEffect(() => {
    document.addEventListener("play", pauseOthers, { capture: true });
    return () => document.removeEventListener("play", pauseOthers, { capture: true });
  }, []);
  const is = (state: Partial<Playback>) => () => step((now) => ({ ...now, ...state }));
  return (
    <>
      <audio
        ref={audio}
        src={track?.audioUrl ?? undefined}
        preload={track && !playback.isAsleep ? "metadata" : "none"}
        onLoadedMetadata={({ currentTarget: { duration } }) => step((now) => loaded(now, duration))}
        onTimeUpdate={({ currentTarget: { currentTime } }) => step((now) => ({ ...now, currentTime }))}
        onPlay={is({ isPlaying: true })}
        onPlaying={is({ isWaiting: false })}
        onWaiting={is({ isWaiting: true })}
        onPause={is({ isPlaying: false, isWaiting: false })}
        onEnded={() => step(ended)}
        onError={() => step((now) => troubled(now, "failed"))}
      />
      {bar && <bar.Companions />}
      {track && bar && <bar.PlayerBar track={track} playback={playback} />}
      {/* Who listens may lose the connection: the next page has its code by then, and for half a minute its data. */}
      {track &&
        !playback.isAsleep &&
        ["/", "/podcast", `/episode/${track.id}`].map((page) => <PrefetchPageLinks key={page} page={page} />)}
    </>
  );
}

type AudioRef = RefObject<HTMLAudioElement | null>;

/** Loads what was selected, and plays or pauses it. */
function usePlaying(audio: AudioRef, { isPlaying, isAsleep, selection }: Playback) {
  const step = useStep();
  const inElement = useRef(0);
  useEffect(() => {
    const element = audio.current;
    if (!element || isAsleep || selection === 0) return;
    if (inElement.current !== selection) element.load();
    inElement.current = selection;
    if (!isPlaying) return element.pause();
    element.play().catch((error: DOMException) => {
      // Another selection came in between; and what cannot be loaded says so through the error event.
      if (error.name === "AbortError" || error.name === "NotSupportedError") return;
      if (error.name !== "NotAllowedError") throw error;
      step((now) => troubled(now, "blocked"));
    });
  }, [audio, isPlaying, isAsleep, selection, step]);
}

/** Goes where it was asked to, once the metadata says where that is. */
function useSeeking(audio: AudioRef, { isLoading, seekTo }: Playback) {
  const step = useStep();
  useEffect(() => {
    if (seekTo === null || isLoading || !audio.current) return;
    set(audio.current, { currentTime: seekTo });
    step((now) => ({ ...now, currentTime: seekTo, seekTo: null }));
  }, [audio, isLoading, seekTo, step]);
}

function useSound(audio: AudioRef, { volume, fade, rate }: Playback) {
  useEffect(() => {
    // What is loaded next starts at the default rate.
    if (audio.current)
      set(audio.current, { volume: volume * fade, playbackRate: rate, defaultPlaybackRate: rate });
  }, [audio, volume, fade, rate]);
}

const set = (element: HTMLMediaElement, properties: Partial<HTMLMediaElement>) =>
  void Object.assign(element, properties);

/** Only one thing sounds at a time: the native control of an episode's page is a second audio element. */
function pauseOthers({ target }: Event) {
  for (const media of document.querySelectorAll<HTMLMediaElement>("audio, video")) {
    if (media !== target) media.pause();
  }
}
