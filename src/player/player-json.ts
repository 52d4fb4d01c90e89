import {
  append,
  currentTrack,
  positionOf,
  initialPlayback,
  type Playback,
  type Track,
} from "./core/playback.ts";
import { setQueue } from "./core/queue.ts";
import { nearestRate } from "./core/rates.ts";

/** The state stored between visits, as JSON under one key. */
export type SavedPlayer = Pick<
  Playback,
  "queue" | "currentTime" | "mayResume" | "duration" | "volume" | "rate" | "isList" | "goesOn"
> & {
  shortcuts: boolean;
};

/** Of a long queue, this many tracks around the current one are stored. */
const BEHIND = 20;
const AHEAD = 180;

export function serializePlayer(playback: Playback, shortcuts: boolean) {
  const { queue, mayResume, duration, volume, rate, isList, goesOn } = playback;
  const first = Math.max(0, queue.index - BEHIND);
  const saved: SavedPlayer = {
    queue: { tracks: queue.tracks.slice(first, queue.index + AHEAD), index: queue.index - first },
    currentTime: positionOf(playback),
    mayResume,
    duration,
    volume,
    rate,
    isList,
    goesOn,
    shortcuts,
  };
  return JSON.stringify(saved);
}

/** Drops malformed fields. Returns null if the text is not a JSON object. */
export function parsePlayer(text: string | null): SavedPlayer | null {
  const saved = fieldsOf(parseJson(text));
  if (!saved) return null;
  const { queue, hasCurrent } = queueOf(saved.queue);
  return {
    queue,
    currentTime: hasCurrent ? between(saved.currentTime, 0, LONGEST) : 0,
    mayResume: saved.mayResume === true,
    duration: hasCurrent ? between(saved.duration, 0, LONGEST) : 0,
    volume: between(saved.volume, 0, 1, initialPlayback.volume),
    rate: nearestRate(between(saved.rate, 0.5, 3, initialPlayback.rate)),
    isList: saved.isList === true,
    goesOn: typeof saved.goesOn === "boolean" ? saved.goesOn : null,
    shortcuts: saved.shortcuts !== false,
  };
}

/** Seconds. */
const LONGEST = 2 * 86_400;

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown) => (typeof value === "object" && value !== null ? (value as Fields) : null);

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    // Stored text is user input.
    return null;
  }
}

const between = (value: unknown, least: number, most: number, otherwise = 0) =>
  typeof value === "number" && value >= least && value <= most ? value : otherwise;

/** `hasCurrent`: the current track is valid, so `currentTime` and `duration` belong to it. */
function queueOf(value: unknown) {
  const { tracks, index } = fieldsOf(value) ?? {};
  const given = Array.isArray(tracks) ? tracks.map(trackFrom) : [];
  const current = typeof index === "number" ? given[index] : undefined;
  const rest = given.filter(
    (track, at): track is Track => track !== null && given.findIndex((one) => one?.id === track.id) === at,
  );
  const at = rest.findIndex(({ id }) => id === current?.id);
  return { queue: setQueue(rest, at), hasCurrent: at >= 0 };
}

function trackFrom(value: unknown): Track | null {
  const { id, title, episodeNumber, picture, audioUrl, show } = fieldsOf(value) ?? {};
  if (!isCount(id) || typeof title !== "string" || typeof show !== "string") return null;
  if (episodeNumber !== null && !isCount(episodeNumber)) return null;
  if (audioUrl !== null && !isMediaPath(audioUrl)) return null;
  return { id, title, episodeNumber, picture: pictureFrom(picture), audioUrl, show };
}

function pictureFrom(value: unknown): Track["picture"] {
  const { src, srcset, avif, alt, width, height } = fieldsOf(value) ?? {};
  if (
    !isMediaPath(src) ||
    typeof srcset !== "string" ||
    typeof avif !== "string" ||
    typeof alt !== "string"
  ) {
    return null;
  }
  return {
    src,
    srcset,
    avif,
    alt,
    width: isCount(width) ? width : null,
    height: isCount(height) ? height : null,
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const isMediaPath = (value: unknown): value is string =>
  typeof value === "string" && value.startsWith("/media/");

/** Seconds. Two tabs that differ less are at the same position. */
const SAME_PLACE = 1;

/**
 * Takes over another tab's stored state, if this player has not played in this visit, or is paused and its episode
 * continued in the other tab. The state is then restored: the audio loads when the listener plays it.
 */
export function followTab(playback: Playback, saved: SavedPlayer): Playback {
  const isFollowing = playback.isRestored || goesOnIn(saved, playback);
  return isFollowing ? restore(setAside(playback), saved) : playback;
}

function goesOnIn({ queue, currentTime }: SavedPlayer, playback: Playback) {
  const track = currentTrack(playback);
  return (
    track !== null &&
    !playback.isPlaying &&
    queue.tracks[queue.index]?.id === track.id &&
    Math.abs(currentTime - positionOf(playback)) >= SAME_PLACE
  );
}

const setAside = (playback: Playback): Playback => ({
  ...playback,
  isRestored: true,
  isLoading: false,
  isWaiting: false,
  seekTo: null,
  mayResume: false,
  error: null,
});

/**
 * Restores volume, speed and autoplay, and the queue unless an episode was already chosen. Appends episodes that were
 * added before the restore.
 */
export function restore(playback: Playback, saved: SavedPlayer): Playback {
  const { queue, currentTime, mayResume, duration, volume, rate, isList, goesOn } = saved;
  const chosen = { ...playback, volume, rate, goesOn };
  if (!currentTrack(playback) || playback.isRestored) {
    return { ...chosen, isList, queue, currentTime, mayResume, duration, isRestored: queue.index >= 0 };
  }
  if (queue.index < 0 || !isOnlyAppended(playback)) return chosen;
  const restored = restore(setAside(playback), saved);
  return playback.queue.tracks.reduce(append, restored);
}

/** Whether the queue was never played: its first episode was appended to an empty queue. */
const isOnlyAppended = (playback: Playback) =>
  playback.selection === 1 &&
  !playback.isPlaying &&
  !playback.mayResume &&
  playback.error !== "blocked" &&
  positionOf(playback) === 0;
