import { useAtomValue } from "jotai";
import { useCallback, useEffect, useRef, useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { STORAGE_KEY, takeEarlyPlay } from "#site/document/early-play.ts";
import { lazyStyledImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { adopt, currentTrack, ended, loaded, positionOf, withError, type Playback } from "./core/playback.ts";
import { hasStoredState } from "./needed.ts";
import { useSayOffline } from "./say-offline.ts";
import { playbackAtom, useStep } from "./state.ts";

/**
 * The bar and the effects load when an episode is selected or restored. The audio element is here from the start,
 * because browsers let only a press start a sound.
 */
const loadBar = lazyStyledImport(() => import("./deck/bar.tsx"));

/** One audio element for the whole visit, and its bar. */
export function Player() {
  const [audio] = useState(earlyAudioOrNew);
  const playback = useAtomValue(playbackAtom);
  const track = currentTrack(playback);
  const [wasStored] = useState(hasStoredState);
  const [isBarMissing, setBarMissing] = useState(false);
  const sayOffline = useSayOffline();
  const onError = useCallback(
    (error: unknown) => {
      setBarMissing(true);
      sayOffline(error);
    },
    [sayOffline],
  );
  const bar = useLazyModule(playback.selection || wasStored, loadBar, onError);
  useSaving(isBarMissing && bar === null ? playback : null);
  useEvents(audio);
  usePlaying(audio, track?.audioUrl ?? null, playback);
  useSeeking(audio, playback);
  useSound(audio, playback);
  useEffect(() => {
    document.addEventListener("play", pauseOthers, true);
    return () => document.removeEventListener("play", pauseOthers, true);
  }, []);
  return (
    <>
      <div hidden data-episode={track?.id} ref={(parent) => void parent?.appendChild(audio)} />
      {bar && <bar.PlayerEffects />}
      {track && bar && <bar.PlayerBar track={track} playback={playback} />}
      {/* The listener may lose the connection: load these pages' code now; their data stays fresh for 30 s. */}
      {track &&
        !playback.isRestored &&
        ["/", "/podcast", `/episode/${track.id}`].map((page) => <PrefetchPageLinks key={page} page={page} />)}
    </>
  );
}

/** Saves the playback for the next document if the bar, which normally does so, did not load. */
function useSaving(playback: Playback | null) {
  useEffect(() => {
    if (!playback) return;
    const save = () => {
      const { queue, isList, duration, mayResume } = playback;
      const playing = { queue, isList, duration, mayResume, currentTime: positionOf(playback) };
      try {
        const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as object;
        localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...stored, ...playing }));
      } catch (error) {
        console.warn(error);
      }
    };
    addEventListener("pagehide", save);
    return () => removeEventListener("pagehide", save);
  }, [playback]);
}

function earlyAudioOrNew(): HTMLAudioElement {
  window.hasPlayer = true;
  return Object.assign(window.earlyPlay?.audio ?? new Audio(), { preload: "metadata" });
}

/**
 * Applies the element's events to the state. Ignores them for a restored episode, which is not loaded: the events are
 * about an earlier episode or position.
 */
function useEvents(audio: HTMLAudioElement) {
  const step = useStep();
  useEffect(() => {
    const steps: [name: keyof HTMLMediaElementEventMap, step: (now: Playback) => Playback][] = [
      [
        "loadedmetadata",
        (now) => {
          // In a later render the listener would first hear the beginning.
          if (now.seekTo) Object.assign(audio, { currentTime: now.seekTo });
          return loaded(now, audio.duration);
        },
      ],
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
      const apply = () => step((now) => (now.isRestored ? now : change(now)));
      audio.addEventListener(name, apply, { signal: listening.signal });
    }
    return () => listening.abort();
  }, [audio, step]);
}

/** Loads the selected track, and plays or pauses it. */
function usePlaying(
  audio: HTMLAudioElement,
  audioUrl: string | null,
  { isPlaying, isRestored, selection }: Playback,
) {
  const step = useStep();
  const inElement = useRef(0);
  useEffect(() => {
    if (selection === 0) return;
    if (isRestored) return audio.pause();
    const early = takeEarlyPlay(audioUrl);
    if (early) step((now) => adopt(now, early));
    else if (inElement.current !== selection) load(audio, audioUrl);
    inElement.current = selection;
    if (!isPlaying || early?.isPaused) return audio.pause();
    audio.play().catch((error: DOMException) => {
      // AbortError: another track was selected. NotSupportedError: the error event reports it.
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

/** Applies a pending seek once the metadata is loaded. */
function useSeeking(audio: HTMLAudioElement, { isLoading, seekTo }: Playback) {
  const step = useStep();
  useEffect(() => {
    if (seekTo === null || isLoading) return;
    Object.assign(audio, { currentTime: seekTo });
    // The listener may have seeked elsewhere since this render.
    step((now) => (now.seekTo === seekTo ? { ...now, currentTime: seekTo, seekTo: null } : now));
  }, [audio, isLoading, seekTo, step]);
}

function useSound(audio: HTMLAudioElement, { volume, fade, rate }: Playback) {
  useEffect(() => {
    // iOS ignores `volume`, but not `muted`. The next source starts at the default rate.
    Object.assign(audio, {
      volume: volume * fade,
      muted: volume === 0,
      playbackRate: rate,
      defaultPlaybackRate: rate,
    });
  }, [audio, volume, fade, rate]);
}

/** Pauses other media, such as the native control on an episode's page. */
function pauseOthers({ target }: Event) {
  for (const media of document.querySelectorAll<HTMLMediaElement>("audio, video")) {
    if (media !== target) media.pause();
  }
}
