import type { Progress } from "./core/progress.ts";
import { currentTrack, positionOf, type Playback } from "./core/playback.ts";

/** Fraction of an episode after which it is completed. */
const COMPLETE = 0.9;

/** Milliseconds between two saves while it plays. */
const EVERY = 15_000;

export const progressOf = (seconds: number, duration: number): Progress => ({
  seconds: Math.floor(seconds),
  completed: duration > 0 && seconds >= COMPLETE * duration,
});

/** `mayResume`: the episode began at 0 because no earlier position was known, and the listener has not seeked since. */
type Save = (episodeId: number, progress: Progress, mayResume: boolean) => void;

/**
 * Watches the playback and saves progress: at most every 15 s while it plays, when it pauses, and when another episode is
 * selected. A completed episode stays completed until it is selected again.
 */
export function createProgressRecorder(save: Save, clock: () => number) {
  let before: Playback | null = null;
  let unsaved: { id: number; progress: Progress; mayResume: boolean } | null = null;
  let savedAt = Number.NEGATIVE_INFINITY;
  let isCompleted = false;

  function flush() {
    if (!unsaved) return;
    const { id, progress, mayResume } = unsaved;
    unsaved = null;
    savedAt = clock();
    save(id, progress, mayResume);
  }

  function note(now: Playback) {
    const track = currentTrack(now);
    const seconds = positionOf(now);
    if (!track || now.isLoading || seconds < 1) return;
    const progress = progressOf(seconds, now.duration);
    isCompleted ||= progress.completed;
    unsaved = {
      id: track.id,
      progress: { ...progress, completed: isCompleted },
      mayResume: now.mayResume,
    };
  }

  function see(now: Playback) {
    const isSame = before?.selection === now.selection;
    const wasPlaying = isSame && before?.isPlaying;
    before = now;
    if (!isSame) {
      flush();
      isCompleted = false;
    }
    if (!now.isPlaying && !wasPlaying) return;
    note(now);
    if (!now.isPlaying || clock() - savedAt >= EVERY) flush();
  }

  return { see, flush };
}
