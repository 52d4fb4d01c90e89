type Queued = { id: number; audioUrl: string | null };

/**
 * The player's queue as pure functions: the tracks and the current index. An episode is in it at most once, and one without
 * audio only while it is current.
 */
export type Queue<T extends Queued> = {
  tracks: T[];
  /** -1 while nothing is selected. */
  index: number;
};

export const emptyQueue = { tracks: [], index: -1 };

/** `start` is the index of the current track; by default the first with audio is current, and beyond the end the last. */
export function setQueue<T extends Queued>(tracks: T[], start = -1): Queue<T> {
  const current = tracks[Math.min(start, tracks.length - 1)];
  const queued = tracks.filter((track) => track.audioUrl !== null || track === current);
  const index = current ? queued.indexOf(current) : 0;
  return queued.length === 0 ? emptyQueue : { tracks: queued, index };
}

/** Appends a track. A queued track moves to the end, unless it is current. */
export function append<T extends Queued>(queue: Queue<T>, track: T): Queue<T> {
  if (queue.tracks[queue.index]?.id === track.id) return queue;
  const { tracks, index } = remove(queue, track.id);
  return setQueue([...tracks, track], Math.max(index, 0));
}

/** Removes a track. After the current one is removed, the next is current, or the previous at the end. */
export function remove<T extends Queued>({ tracks, index }: Queue<T>, id: number): Queue<T> {
  const removed = tracks.findIndex((track) => track.id === id);
  if (removed === -1) return { tracks, index };
  const rest = tracks.toSpliced(removed, 1);
  return { tracks: rest, index: Math.min(removed < index ? index - 1 : index, rest.length - 1) };
}

export const hasPrevious = ({ index }: Queue<Queued>) => index > 0;
export const hasNext = ({ tracks, index }: Queue<Queued>) => index < tracks.length - 1;

export const previous = <T extends Queued>(queue: Queue<T>): Queue<T> =>
  hasPrevious(queue) ? setQueue(queue.tracks, queue.index - 1) : queue;

export const next = <T extends Queued>(queue: Queue<T>): Queue<T> =>
  hasNext(queue) ? setQueue(queue.tracks, queue.index + 1) : queue;
