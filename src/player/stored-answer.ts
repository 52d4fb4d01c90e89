import { readListenerId } from "./listener.ts";
import type { Progress } from "./core/progress.ts";
import { entriesOf, withProgress, type ProgressById } from "./unsent-progress.ts";

/** Key in localStorage. */
export const ANSWER_KEY = "progressAnswer";

/** The server's limit of episodes. */
const MOST = 1000;

/**
 * The server's last answer with later saved progress. Null without one: the listener may then be further in any
 * episode.
 */
export function readStoredAnswer(): ProgressById | null {
  // A new listener must not get another's progress.
  if (readListenerId() === null) return null;
  try {
    const entries = entriesOf(localStorage.getItem(ANSWER_KEY));
    return entries && new Map(entries);
  } catch {
    return null;
  }
}

/** Stores it, oldest first. */
export function storeAnswer(answer: ProgressById) {
  const text = JSON.stringify([...answer].slice(-MOST));
  try {
    // If the storage is full, no answer is better than a stale one.
    localStorage.removeItem(ANSWER_KEY);
    localStorage.setItem(ANSWER_KEY, text);
  } catch {
    // Offline, no positions are then known.
  }
}

/** Stores nothing without an answer: a single episode would look like the server's complete answer. */
export function addToStoredAnswer(episodeId: number, progress: Progress) {
  // A new listener's first progress is the complete answer.
  const stored = readListenerId() === null ? new Map<number, Progress>() : readStoredAnswer();
  if (stored) storeAnswer(withProgress(stored, episodeId, progress, MOST));
}
