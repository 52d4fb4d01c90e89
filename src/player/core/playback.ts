import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import type { Picture } from "#worker/files/contract.ts";
import * as queues from "./queue.ts";
import type { Queue } from "./queue.ts";

/** The fields of an episode that the player needs. */
export type Track = Pick<EpisodeSummary, "id" | "title" | "episodeNumber" | "picture" | "audioUrl"> & {
  /** The show's name. */
  show: string;
};

export const trackOf = (
  { id, title, episodeNumber, picture, audioUrl }: EpisodeSummary,
  show: string,
): Track => ({ id, title, episodeNumber, picture: picture && coverOf(picture), audioUrl, show });

/** Keeps one small copy, because a page may hold many tracks. */
function coverOf({ srcset, ...picture }: Picture): Picture {
  const copy = srcset.split(", ").find((candidate) => candidate.endsWith(COVER));
  return { ...picture, src: copy ? copy.slice(0, -COVER.length) : picture.src, srcset: "", avif: "" };
}

/** Width descriptor in `srcset`. Each picture of at least 320 px has this copy. */
const COVER = " 320w";

export type Playback = {
  queue: Queue<Track>;
  isPlaying: boolean;
  /** True from selection until `loadedmetadata`. */
  isLoading: boolean;
  /** Restored from an earlier visit. Its audio is not loaded until the listener plays it. */
  isRestored: boolean;
  /** Playing, but buffering. */
  isWaiting: boolean;
  /** Seconds. */
  currentTime: number;
  /** Seconds of a pending seek; null for none. */
  seekTo: number | null;
  /**
   * It began at 0 because no earlier position was known, and the listener has not seeked since: it may still resume
   * there.
   */
  mayResume: boolean;
  /** Seconds; 0 while unknown. */
  duration: number;
  /** 0 to 1. */
  volume: number;
  /** Factor of the volume that the sleep timer sets, 0 to 1. */
  fade: number;
  /** Playback rate; 1 is normal. */
  rate: number;
  /** Why it does not play: the browser blocks playback without a press, or the audio could not be loaded. */
  error: "blocked" | "failed" | null;
  /** The queue was started as a list, such as by Play All. */
  isList: boolean;
  /** The listener's choice of autoplay; null for the default: on in a list, off after a single episode. */
  goesOn: boolean | null;
  /** The sleep timer ends with this episode. */
  sleepsAtEnd: boolean;
  /** Counts selections, so that selecting the same episode again is a change. */
  selection: number;
};

export const initialPlayback: Playback = {
  queue: queues.emptyQueue,
  isPlaying: false,
  isLoading: false,
  isRestored: false,
  isWaiting: false,
  currentTime: 0,
  seekTo: null,
  mayResume: false,
  duration: 0,
  volume: 1,
  fade: 1,
  rate: 1,
  error: null,
  isList: false,
  goesOn: null,
  sleepsAtEnd: false,
  selection: 0,
};

export const currentTrack = ({ queue }: Playback): Track | null => queue.tracks[queue.index] ?? null;

/** Seconds: the pending seek, else the current time. */
export const positionOf = ({ seekTo, currentTime }: Playback) => seekTo ?? currentTime;

/** Makes the queue's current track the selected one, at 0 and not loaded yet. */
function select(playback: Playback, queue: Queue<Track>, isPlaying: boolean): Playback {
  const track = queue.tracks[queue.index];
  const isLoading = Boolean(track?.audioUrl);
  return {
    ...playback,
    queue,
    isPlaying: isPlaying && isLoading,
    isLoading,
    isRestored: false,
    isWaiting: false,
    currentTime: 0,
    seekTo: null,
    mayResume: false,
    duration: 0,
    error: null,
    selection: playback.selection + 1,
  };
}

export const start = (playback: Playback, tracks: Track[], index?: number, isList = false) =>
  select({ ...playback, isList }, queues.setQueue(tracks, index), true);

export const seek = (playback: Playback, seconds: number): Playback =>
  playback.isRestored
    ? { ...playback, currentTime: seconds, mayResume: false }
    : { ...playback, seekTo: seconds, mayResume: false };

/** Seeks by `seconds`; negative goes back. */
export function skip(playback: Playback, seconds: number): Playback {
  const to = Math.max(0, positionOf(playback) + seconds);
  return seek(playback, playback.duration > 0 ? Math.min(to, playback.duration) : to);
}

export function append(playback: Playback, track: Track): Playback {
  const queue = queues.append(playback.queue, track);
  return currentTrack(playback)
    ? { ...playback, queue }
    : select({ ...playback, isList: false }, queue, false);
}

export function remove(playback: Playback, id: number): Playback {
  const queue = queues.remove(playback.queue, id);
  if (currentTrack(playback)?.id !== id) return { ...playback, queue };
  const after = select(playback, queue, playback.isPlaying);
  return playback.isRestored ? { ...after, isRestored: true, isLoading: false } : after;
}

export const next = (playback: Playback) =>
  queues.hasNext(playback.queue)
    ? select(playback, queues.next(playback.queue), playback.isPlaying)
    : playback;

export const previous = (playback: Playback) =>
  queues.hasPrevious(playback.queue)
    ? select(playback, queues.previous(playback.queue), playback.isPlaying)
    : playback;

/** Whether the next episode plays automatically. */
export const goesOn = (playback: Playback) => playback.goesOn ?? playback.isList;

/**
 * At an episode's end: selects the next one, paused unless autoplay is on; the last one returns to 0. Ends a sleep
 * timer.
 */
export const ended = (playback: Playback): Playback =>
  queues.hasNext(playback.queue)
    ? next({ ...playback, isPlaying: goesOn(playback) && !playback.sleepsAtEnd, sleepsAtEnd: false })
    : { ...playback, isPlaying: false, currentTime: 0, sleepsAtEnd: false };

/** Loads the current track again and resumes at its position. */
export const retry = (playback: Playback): Playback => ({
  ...select(playback, playback.queue, true),
  duration: playback.duration,
  mayResume: playback.mayResume,
  seekTo: positionOf(playback) > 0 ? positionOf(playback) : null,
});

/**
 * Updates the current track from a page if its recording was replaced since the queue was stored: the old file is
 * deleted, and the new one loads when the listener plays it.
 */
export function renew(playback: Playback, track: Track): Playback {
  const { tracks, index } = playback.queue;
  const current = tracks[index];
  return current?.id === track.id && current.audioUrl !== track.audioUrl
    ? { ...playback, queue: { tracks: tracks.with(index, track), index }, isRestored: true, isLoading: false }
    : playback;
}

export const loaded = (playback: Playback, duration: number): Playback => ({
  ...playback,
  isLoading: false,
  // A live stream has an infinite duration.
  duration: Number.isFinite(duration) ? duration : 0,
});

/** An audio element that an early press started: see `document/early-play.ts`. */
export type Early = {
  /** `duration` is NaN until the metadata is loaded. */
  audio: Pick<HTMLMediaElement, "currentTime" | "duration" | "volume" | "playbackRate">;
  /** Seconds where it started. */
  from: number;
  isPaused: boolean;
};

/** Takes over audio that an early press started. */
export function adopt(playback: Playback, { audio, from, isPaused }: Early): Playback {
  const { currentTime, duration, volume, playbackRate: rate } = audio;
  const adopted = {
    ...playback,
    isPlaying: !isPaused,
    currentTime,
    volume,
    rate,
    // The early audio started at `from`: a seek to it is done.
    seekTo: playback.seekTo === from ? null : playback.seekTo,
    mayResume: playback.mayResume && from === 0,
  };
  return Number.isNaN(duration) ? adopted : loaded(adopted, duration);
}

export const withError = (playback: Playback, error: NonNullable<Playback["error"]>): Playback => ({
  ...playback,
  isPlaying: false,
  isLoading: error === "blocked" && playback.isLoading,
  isWaiting: false,
  error,
});

export const canPlay = (playback: Playback) =>
  !playback.isLoading && Boolean(currentTrack(playback)?.audioUrl);

/** Plays or pauses. Loads the audio first if it is not loaded or failed. */
export function toggle(playback: Playback): Playback {
  if (!canPlay(playback)) return playback;
  const isUnloaded = playback.isRestored || playback.error === "failed";
  return isUnloaded ? retry(playback) : { ...playback, isPlaying: !playback.isPlaying, error: null };
}

export const toggleMute = (playback: Playback): Playback => ({
  ...playback,
  volume: playback.volume > 0 ? 0 : 1,
});

/** The seek slider's end. */
export const seekMaximum = ({ duration }: Playback) => duration || 100;
