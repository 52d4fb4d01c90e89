import { useStore } from "jotai";
import { useEffect } from "react";
import { progressAtom, resumeAt, type Progress } from "./progress.ts";
import { isListenerAtom, listenerId, readListenerId } from "./listener.ts";
import { currentTrack, positionOf, seek } from "./playback.ts";
import { createProgressRecorder } from "./progress-recorder.ts";
import { playbackAtom } from "./state.ts";

type Store = ReturnType<typeof useStore>;

/** Body of `GET /api/progress`. */
type Answer = { items: { episodeId: number; progressSeconds: number; completed: boolean }[] };

let reading: Promise<void> | null = null;

/** Reads the listener's progress once a visit. A new listener has none. */
export function readProgress(store: Store) {
  reading ??= fetchProgress(store).catch((error: unknown) => {
    console.warn(error);
    reading = null;
  });
  return reading;
}

async function fetchProgress(store: Store) {
  const id = readListenerId();
  if (id === null) return;
  const response = await fetch("/api/progress", { headers: { "Listener-Id": id } });
  if (!response.ok) throw new Error(`The listener's progress: ${response.status}`);
  const { items } = (await response.json()) as Answer;
  const read = items.map(
    ({ episodeId, progressSeconds, completed }) =>
      [episodeId, { seconds: progressSeconds, completed }] as const,
  );
  // Progress made since the request is newer.
  store.set(progressAtom, (since) => new Map([...read, ...since]));
}

/** Saves without waiting; a failure is logged, and the next save follows within 15 s. */
function saveProgress(store: Store, episodeId: number, progress: Progress) {
  store.set(progressAtom, (known) => new Map([...known, [episodeId, progress]]));
  // A new listener has no progress to read.
  if (readListenerId() === null) reading = Promise.resolve();
  fetch(`/api/progress/${episodeId}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", "Listener-Id": listenerId() },
    body: JSON.stringify({ progressSeconds: progress.seconds, completed: progress.completed }),
    keepalive: true,
  }).catch(console.warn);
  store.set(isListenerAtom, true);
}

/** Saves progress. Resumes an episode that started before its progress was read. */
export function useProgressSync() {
  const store = useStore();
  useEffect(() => {
    const recorder = createProgressRecorder((id, progress) => saveProgress(store, id, progress), Date.now);
    const see = () => recorder.see(store.get(playbackAtom));
    const leave = () => {
      if (document.visibilityState === "hidden") recorder.flush();
    };
    see();
    const stop = store.sub(playbackAtom, see);
    document.addEventListener("visibilitychange", leave);
    addEventListener("pagehide", recorder.flush);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", leave);
      removeEventListener("pagehide", recorder.flush);
    };
  }, [store]);
  useEffect(() => void readProgress(store).then(() => resumeLate(store)), [store]);
}

/** Seconds. */
const JUST_STARTED = 3;

function resumeLate(store: Store) {
  const playback = store.get(playbackAtom);
  const track = currentTrack(playback);
  if (!track || playback.isRestored || playback.seekTo !== null || positionOf(playback) > JUST_STARTED)
    return;
  const at = resumeAt(store.get(progressAtom).get(track.id));
  if (at > 0) store.set(playbackAtom, seek(playback, at));
}
