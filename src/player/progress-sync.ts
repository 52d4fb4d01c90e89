import { useStore } from "jotai";
import { useEffect } from "react";
import { progressAtom, resumeAt, type Progress } from "./progress.ts";
import { isListenerAtom, listenerId, readListenerId } from "./listener.ts";
import { currentTrack, positionOf, seek, type Playback } from "./playback.ts";
import { createProgressRecorder } from "./progress-recorder.ts";
import { playbackAtom } from "./state.ts";
import {
  addUnsent,
  isFinal,
  parseUnsent,
  readUnsent,
  removeUnsent,
  sendUnsent,
  UNSENT_KEY,
  type Unsent,
} from "./unsent-progress.ts";

type Store = ReturnType<typeof useStore>;

/** Body of `GET /api/progress`. */
type Answer = { items: { episodeId: number; progressSeconds: number; completed: boolean }[] };

/** Milliseconds. Nothing is saved until the answer is there. */
const LONGEST_WAIT = 10_000;

let reading: Promise<void> | null = null;

/** Reads the listener's progress once a visit; resolves also where that fails. A new listener has none. */
export function readProgress(store: Store) {
  reading ??= fetchProgress(store).then(
    () => void sendUnsent(putProgress),
    (error: unknown) => {
      console.warn(error);
      reading = null;
    },
  );
  return reading;
}

async function fetchProgress(store: Store) {
  const id = readListenerId();
  if (id === null) return;
  showUnsent(store, readUnsent());
  const response = await fetch("/api/progress", {
    headers: { "Listener-Id": id },
    signal: AbortSignal.timeout(LONGEST_WAIT),
  });
  if (!response.ok) throw new Error(`The listener's progress: ${response.status}`);
  const { items } = (await response.json()) as Answer;
  const read = items.map(
    ({ episodeId, progressSeconds, completed }) =>
      [episodeId, { seconds: progressSeconds, completed }] as const,
  );
  // What is not sent yet, and progress made since the request, are newer.
  store.set(progressAtom, (since) => new Map([...read, ...since]));
}

/** It is newer than what the server has, and than what this tab knows: another tab may have stored it. */
const showUnsent = (store: Store, unsent: Unsent) =>
  store.set(progressAtom, (known) => new Map([...known, ...unsent]));

/** Saves without waiting. It is stored until the server has answered, so that it can be sent again. */
function saveProgress(store: Store, episodeId: number, progress: Progress) {
  store.set(progressAtom, (known) => new Map([...known, [episodeId, progress]]));
  // A new listener has no progress to read.
  if (readListenerId() === null) reading = Promise.resolve();
  addUnsent(episodeId, progress);
  void putProgress(episodeId, progress);
  store.set(isListenerAtom, true);
}

/** Resolves to false where it has to be sent again. */
async function putProgress(episodeId: number, progress: Progress) {
  try {
    const response = await fetch(`/api/progress/${episodeId}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json", "Listener-Id": listenerId() },
      body: JSON.stringify({ progressSeconds: progress.seconds, completed: progress.completed }),
      keepalive: true,
    });
    // An answer that nobody reads holds its connection.
    await response.arrayBuffer();
    if (!isFinal(response)) return false;
    removeUnsent(episodeId, progress);
    return true;
  } catch (error) {
    console.warn(error);
    return false;
  }
}

/** Resumes an episode that started before its progress was read, and only then saves progress. */
export function useProgressSync() {
  const store = useStore();
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    void readProgress(store).then(() => {
      if (signal.aborted) return;
      store.set(playbackAtom, (playback) => resumeLate(playback, store.get(progressAtom)));
      recordProgress(store, signal);
    });
    const sendAgain = () => void readProgress(store).then(() => sendUnsent(putProgress));
    const seeOtherTab = ({ key, newValue }: StorageEvent) => {
      if (key === UNSENT_KEY) showUnsent(store, parseUnsent(newValue));
    };
    addEventListener("online", sendAgain, { signal });
    addEventListener("storage", seeOtherTab, { signal });
    return () => listening.abort();
  }, [store]);
}

function recordProgress(store: Store, signal: AbortSignal) {
  const recorder = createProgressRecorder((id, progress) => saveProgress(store, id, progress), Date.now);
  const see = () => recorder.see(store.get(playbackAtom));
  const leave = () => {
    if (document.visibilityState === "hidden") recorder.flush();
  };
  see();
  signal.addEventListener("abort", store.sub(playbackAtom, see));
  document.addEventListener("visibilitychange", leave, { signal });
  addEventListener("pagehide", recorder.flush, { signal });
}

/** Seconds. Whoever has heard more is left where they are. */
const JUST_STARTED = 30;

/** Moves an episode to where the listener stopped, if it began at 0 because that place was not known yet. */
export function resumeLate(playback: Playback, progress: ReadonlyMap<number, Progress>): Playback {
  const track = currentTrack(playback);
  const position = positionOf(playback);
  if (!track || !playback.mayResume || position > JUST_STARTED) return playback;
  const at = resumeAt(progress.get(track.id));
  return at > position ? seek(playback, at) : playback;
}
