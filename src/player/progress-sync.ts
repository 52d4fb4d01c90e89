import { atom, useStore } from "jotai";
import { useEffect } from "react";
import { progressAtom, resumeAt, type Progress } from "./core/progress.ts";
import { lastSavedAtom } from "./last-saved.ts";
import { isListenerAtom, listenerId, readListenerId } from "./listener.ts";
import { currentTrack, positionOf, seek, type Playback } from "./core/playback.ts";
import { createProgressRecorder } from "./progress-recorder.ts";
import { playbackAtom } from "./state.ts";
import { addToStoredAnswer, readStoredAnswer, storeAnswer } from "./stored-answer.ts";
import {
  addUnsent,
  isFinal,
  parseUnsent,
  readUnsent,
  removeUnsent,
  sendUnsent,
  UNSENT_KEY,
  type ProgressById,
} from "./unsent-progress.ts";

type Store = ReturnType<typeof useStore>;

/** Body of `GET /api/progress`, latest first. */
type Answer = { items: { episodeId: number; progressSeconds: number; completed: boolean }[] };

/** The server's progress; until it answers, the stored copy of its last answer. Null without either. */
const answerAtom = atom<ProgressById | null>(null);

/** Unsent progress and progress saved by this document: newer than any answer. */
const newerAtom = atom<ProgressById>(new Map());

/** Milliseconds. Nothing is saved before the answer. */
const LONGEST_WAIT = 10_000;

let reading: Promise<void> | null = null;

/** Reads the listener's progress once per visit; also resolves on failure. A new listener has none. */
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
  showAnswer(store, id === null ? new Map() : readStoredAnswer());
  if (id === null) return;
  const response = await fetch("/api/progress", {
    headers: { "Listener-Id": id },
    signal: AbortSignal.timeout(LONGEST_WAIT),
  });
  if (!response.ok) throw new Error(`The listener's progress: ${response.status}`);
  const { items } = (await response.json()) as Answer;
  const oldestFirst = items.toReversed();
  showAnswer(
    store,
    new Map(
      oldestFirst.map(({ episodeId, progressSeconds, completed }) => [
        episodeId,
        { seconds: progressSeconds, completed },
      ]),
    ),
  );
  storeAnswer(store.get(progressAtom));
}

function showAnswer(store: Store, answer: ProgressById | null) {
  store.set(answerAtom, answer);
  showNewer(store, readUnsent());
  resume(store);
}

/** Shows progress that is newer than the server's and this tab's: another tab may have stored it. */
function showNewer(store: Store, newer: Iterable<[number, Progress]>) {
  store.set(newerAtom, (known) => new Map([...known, ...newer]));
  store.set(progressAtom, new Map([...(store.get(answerAtom) ?? []), ...store.get(newerAtom)]));
}

const resume = (store: Store) =>
  store.set(playbackAtom, (playback) => resumeLate(playback, store.get(progressAtom)));

/** Saves in the background. The progress stays stored until the server has answered, so that it can be retried. */
function saveProgress(store: Store, episodeId: number, progress: Progress, mayResume: boolean) {
  // The earlier position could not be read: read it again.
  if (mayResume && !isFurthest(store, episodeId, progress)) return void readProgress(store);
  showNewer(store, [[episodeId, progress]]);
  // A new listener has no progress to read.
  if (readListenerId() === null) reading = Promise.resolve();
  addToStoredAnswer(episodeId, progress);
  addUnsent(episodeId, progress);
  void putProgress(episodeId, progress).then((isSaved) => {
    if (isSaved) store.set(lastSavedAtom, `${progress.completed ? "completed" : "heard"} ${episodeId}`);
  });
  store.set(isListenerAtom, true);
}

/** Whether an episode that began at 0 has reached the listener's earlier position. False while that is unknown. */
const isFurthest = (store: Store, episodeId: number, { seconds }: Progress) =>
  store.get(answerAtom) !== null && resumeAt(store.get(progressAtom).get(episodeId)) <= seconds;

/** Resolves to false if it must be retried. */
async function putProgress(episodeId: number, progress: Progress) {
  try {
    const response = await fetch(`/api/progress/${episodeId}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json", "Listener-Id": listenerId() },
      body: JSON.stringify({ progressSeconds: progress.seconds, completed: progress.completed }),
      keepalive: true,
    });
    // An unread response body keeps its connection open.
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
    // Also resumes an episode restored from an earlier visit.
    resume(store);
    void readProgress(store).then(() => {
      if (!signal.aborted) recordProgress(store, signal);
    });
    const sendAgain = () => void readProgress(store).then(() => sendUnsent(putProgress));
    const seeOtherTab = ({ key, newValue }: StorageEvent) => {
      if (key === UNSENT_KEY) showNewer(store, parseUnsent(newValue));
    };
    addEventListener("online", sendAgain, { signal });
    addEventListener("storage", seeOtherTab, { signal });
    return () => listening.abort();
  }, [store]);
}

function recordProgress(store: Store, signal: AbortSignal) {
  const recorder = createProgressRecorder(
    (id, progress, mayResume) => saveProgress(store, id, progress, mayResume),
    Date.now,
  );
  const see = () => recorder.see(store.get(playbackAtom));
  const leave = () => {
    if (document.visibilityState === "hidden") recorder.flush();
  };
  see();
  signal.addEventListener("abort", store.sub(playbackAtom, see));
  document.addEventListener("visibilitychange", leave, { signal });
  addEventListener("pagehide", recorder.flush, { signal });
}

/** Seconds. An episode played further than this is not moved. */
const JUST_STARTED = 30;

/** Resumes an episode at the listener's earlier position, if it began at 0 because that was not known yet. */
export function resumeLate(playback: Playback, progress: ReadonlyMap<number, Progress>): Playback {
  const track = currentTrack(playback);
  const position = positionOf(playback);
  if (!track || !playback.mayResume || position > JUST_STARTED) return playback;
  const at = resumeAt(progress.get(track.id));
  return at > position ? seek(playback, at) : playback;
}
