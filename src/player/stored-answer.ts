import { readListenerId } from "./listener.ts";
import type { Progress } from "./progress.ts";
import { entriesOf, withProgress, type ProgressById } from "./unsent-progress.ts";

/** Key in localStorage. */
export const ANSWER_KEY = "progressAnswer";

/** As many episodes as the server tells of. */
const MOST = 1000;

/**
 * The server's last answer, and what was saved since. Null where there is none: then the listener may have got further in
 * any episode.
 */
export function readStoredAnswer(): ProgressById | null {
  // A new listener takes over no one else's.
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
    // Where the storage is full, no answer is better than an old one, which would be taken for the latest.
    localStorage.removeItem(ANSWER_KEY);
    localStorage.setItem(ANSWER_KEY, text);
  } catch {
    // Then no place is known without a connection.
  }
}

/** Without an answer it stores nothing: one episode alone would pass for all that the server has. */
export function addToStoredAnswer(episodeId: number, progress: Progress) {
  // A new listener's first progress is all that there is.
  const stored = readListenerId() === null ? new Map<number, Progress>() : readStoredAnswer();
  if (stored) storeAnswer(withProgress(stored, episodeId, progress, MOST));
}
