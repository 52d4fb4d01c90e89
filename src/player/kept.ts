import { currentTrack, positionOf, initialPlayback, type Playback, type Track } from "./playback.ts";
import { setQueue } from "./queue.ts";
import { nearestRate } from "./rates.ts";

/** What the browser keeps between visits, as JSON under one key. */
export type Kept = Pick<Playback, "queue" | "currentTime" | "duration" | "volume" | "rate"> & {
  shortcuts: boolean;
};

/** Of a long queue only what is near the current episode. */
const BEHIND = 20;
const AHEAD = 180;

export function writeKept(playback: Playback, shortcuts: boolean) {
  const { queue, duration, volume, rate } = playback;
  const first = Math.max(0, queue.index - BEHIND);
  const kept: Kept = {
    queue: { tracks: queue.tracks.slice(first, queue.index + AHEAD), index: queue.index - first },
    currentTime: positionOf(playback),
    duration,
    volume,
    rate,
    shortcuts,
  };
  return JSON.stringify(kept);
}

/** Whatever is malformed in it is left out; null where nothing of it can be read. */
export function readKept(text: string | null): Kept | null {
  const kept = fieldsOf(parsed(text));
  if (!kept) return null;
  const { queue, isWhole } = queueOf(kept.queue);
  return {
    queue,
    currentTime: isWhole ? between(kept.currentTime, 0, LONGEST) : 0,
    duration: isWhole ? between(kept.duration, 0, LONGEST) : 0,
    volume: between(kept.volume, 0, 1, initialPlayback.volume),
    rate: nearestRate(between(kept.rate, 0.5, 3, initialPlayback.rate)),
    shortcuts: kept.shortcuts !== false,
  };
}

/** Seconds. */
const LONGEST = 2 * 86_400;

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown) => (typeof value === "object" && value !== null ? (value as Fields) : null);

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    // Anything may stand there: another program's text, or half of ours.
    return null;
  }
}

const between = (value: unknown, least: number, most: number, otherwise = 0) =>
  typeof value === "number" && value >= least && value <= most ? value : otherwise;

/** `isWhole` where the current episode is in it: the second belongs to that one. */
function queueOf(value: unknown) {
  const { tracks, index } = fieldsOf(value) ?? {};
  const given = Array.isArray(tracks) ? tracks.map(trackFrom) : [];
  const current = typeof index === "number" ? given[index] : undefined;
  const rest = given.filter(
    (track, at): track is Track => track !== null && given.findIndex((one) => one?.id === track.id) === at,
  );
  const at = rest.findIndex(({ id }) => id === current?.id);
  return { queue: setQueue(rest, at), isWhole: at >= 0 };
}

function trackFrom(value: unknown): Track | null {
  const { id, title, episodeNumber, picture, audioUrl, show } = fieldsOf(value) ?? {};
  if (!isCount(id) || !isCount(episodeNumber) || typeof title !== "string" || typeof show !== "string") {
    return null;
  }
  if (audioUrl !== null && !isOurs(audioUrl)) return null;
  return { id, title, episodeNumber, picture: pictureFrom(picture), audioUrl, show };
}

function pictureFrom(value: unknown): Track["picture"] {
  const { src, srcset, avif, alt, width, height } = fieldsOf(value) ?? {};
  if (!isOurs(src) || typeof srcset !== "string" || typeof avif !== "string" || typeof alt !== "string") {
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

const isOurs = (value: unknown): value is string => typeof value === "string" && value.startsWith("/media/");

/** What an earlier visit left: the queue only where nothing has been chosen yet. */
export function restore(playback: Playback, { queue, currentTime, duration, volume, rate }: Kept): Playback {
  const sound = { ...playback, volume, rate };
  if (currentTrack(playback) && !playback.isRestored) return sound;
  return { ...sound, queue, currentTime, duration, isRestored: queue.index >= 0 };
}
