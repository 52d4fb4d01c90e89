import { useAtomValue } from "jotai";
import { useEffect, useRef, useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { STORAGE_KEY, takeEarlyPlay } from "#site/document/early-play.ts";
import { styled } from "#site/ui/retriable.ts";
import { useLoaded } from "#site/ui/use-loaded.ts";
import { adopt, currentTrack, ended, loaded, withError, type Playback } from "./playback.ts";
import { playbackAtom, useStep } from "./state.ts";

/**
 * The bar, and what goes with playing, are fetched when the first episode is selected or an earlier visit left one; what
 * plays is here already, as browsers want a press for that.
 */
const loadBar = styled(() => import("./deck/bar.tsx"));

/** Whether an earlier visit left something. Storage may be forbidden. */
function isStored() {
  try {
    return STORAGE_KEY in localStorage;
  } catch {
    return false;
  }
}

/** One audio element for the whole visit, and the bar that plays it. */
export function Player() {
  const [audio] = useState(earlyAudioOrNew);
  const playback = useAtomValue(playbackAtom);
  const track = currentTrack(playback);
  const [wasStored] = useState(isStored);
  const bar = useLoaded(playback.selection || wasStored, loadBar);
  useEvents(audio);
  usePlaying(audio, track?.audioUrl ?? null, playback);
  useSeeking(audio, playback);
  useSound(audio, playback);
  useEffect(() => {
    document.addEventListener("play", pauseOthers, { capture: true });
    return () => document.removeEventListener("play", pauseOthers, { capture: true });
  }, []);
  return (
    <>
      <div hidden ref={(place) => void place?.appendChild(audio)} />
      {bar && <bar.Companions />}
      {track && bar && <bar.PlayerBar track={track} playback={playback} />}
      {/* Who listens may lose the connection: the next page has its code by then, and for half a minute its data. */}
      {track &&
        !playback.isRestored &&
        ["/", "/podcast", `/episode/${track.id}`].map((page) => <PrefetchPageLinks key={page} page={page} />)}
    </>
  );
}

const earlyAudioOrNew = (): HTMLAudioElement =>
  Object.assign(window.earlyPlay?.audio ?? document.createElement("audio"), { preload: "metadata" });

/** What the element says of itself. */
function useEvents(audio: HTMLAudioElement) {
  const step = useStep();
  useEffect(() => {
    const steps: [name: keyof HTMLMediaElementEventMap, step: (now: Playback) => Playback][] = [
      ["loadedmetadata", (now) => loaded(now, audio.duration)],
      ["timeupdate", (now) => ({ ...now, currentTime: audio.currentTime })],
      ["play", (now) => ({ ...now, isPlaying: true })],
      ["playing", (now) => ({ ...now, isWaiting: false })],
      ["waiting", (now) => ({ ...now, isWaiting: true })],
      ["pause", (now) => ({ ...now, isPlaying: false, isWaiting: false })],
      ["ended", ended],
      ["error", (now) => withError(now, "failed")],
    ];
    const listening = new AbortController();
    for (const [name, change] of steps) {
      audio.addEventListener(name, () => step(change), { signal: listening.signal });
    }
    return () => listening.abort();
  }, [audio, step]);
}

/** Loads what was selected, and plays or pauses it. */
function usePlaying(
  audio: HTMLAudioElement,
  audioUrl: string | null,
  { isPlaying, isRestored, selection }: Playback,
) {
  const step = useStep();
  const inElement = useRef(0);
  useEffect(() => {
    if (isRestored || selection === 0) return;
    const early = takeEarlyPlay(audioUrl);
    if (early) step((now) => adopt(now, early));
    else if (inElement.current !== selection) load(audio, audioUrl);
    inElement.current = selection;
    if (!isPlaying || early?.isPaused) return audio.pause();
    audio.play().catch((error: DOMException) => {
      // Another selection came in between; and what cannot be loaded says so through the error event.
      if (error.name === "AbortError" || error.name === "NotSupportedError") return;
      if (error.name !== "NotAllowedError") throw error;
      step((now) => withError(now, "blocked"));
    });
  }, [audio, audioUrl, isPlaying, isRestored, selection, step]);
}

function load(audio: HTMLAudioElement, audioUrl: string | null) {
  if (audioUrl) audio.src = audioUrl;
  else audio.removeAttribute("src");
  audio.load();
}

/** Goes where it was asked to, once the metadata says where that is. */
function useSeeking(audio: HTMLAudioElement, { isLoading, seekTo }: Playback) {
  const step = useStep();
  useEffect(() => {
    if (seekTo === null || isLoading) return;
    Object.assign(audio, { currentTime: seekTo });
    step((now) => ({ ...now, currentTime: seekTo, seekTo: null }));
  }, [audio, isLoading, seekTo, step]);
}

function useSound(audio: HTMLAudioElement, { volume, fade, rate }: Playback) {
  useEffect(() => {
    // What is loaded next starts at the default rate.
    Object.assign(audio, { volume: volume * fade, playbackRate: rate, defaultPlaybackRate: rate });
  }, [audio, volume, fade, rate]);
}

/** Only one thing sounds at a time: the native control of an episode's page is a second audio element. */
function pauseOthers({ target }: Event) {
  for (const media of document.querySelectorAll<HTMLMediaElement>("audio, video")) {
    if (media !== target) media.pause();
  }
}
