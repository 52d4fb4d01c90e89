import { atom } from "jotai";

/** A listener's progress in an episode. */
export type Progress = { seconds: number; completed: boolean };

/** By episode id; filled by `progress-sync.ts`. */
export const progressAtom = atom<ReadonlyMap<number, Progress>>(new Map());

/** Seconds; less progress starts at 0 again. */
const WORTH_RESUMING = 5;

/** Seconds at which an episode resumes; 0 if it starts over. */
export const resumeAt = (progress: Progress | undefined) =>
  progress && !progress.completed && progress.seconds > WORTH_RESUMING ? progress.seconds : 0;

/** "12 min left", "1 h 5 min left", "Listened"; null without progress. */
export function progressLabel(progress: Progress | undefined, durationSeconds: number) {
  if (!progress) return null;
  if (progress.completed) return "Listened";
  if (resumeAt(progress) === 0 || durationSeconds <= 0) return null;
  const minutes = Math.max(1, Math.ceil((durationSeconds - progress.seconds) / 60));
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours} h ` : ""}${minutes % 60} min left`;
}

/** Progress from 0 to 1. */
export function progressFraction(progress: Progress | undefined, durationSeconds: number) {
  if (!progress || durationSeconds <= 0) return 0;
  return progress.completed ? 1 : Math.min(1, progress.seconds / durationSeconds);
}
