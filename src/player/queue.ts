/** The player's queue as pure functions: the tracks and the current index. An episode is in it at most once. */
export type Queue<T extends { id: number }> = {
  tracks: T[];
  /** -1 while nothing is selected. */
  index: number;
};

export const emptyQueue = { tracks: [], index: -1 };

/** `start` is the current index, clamped to the range. */
export const setQueue = <T extends { id: number }>(tracks: T[], start = 0): Queue<T> =>
  tracks.length === 0 ? emptyQueue : { tracks, index: Math.min(Math.max(start, 0), tracks.length - 1) };

/** Appends a track. A queued track moves to the end, unless it is current. */
export function append<T extends { id: number }>(queue: Queue<T>, track: T): Queue<T> {
  if (queue.tracks[queue.index]?.id === track.id) return queue;
  const { tracks, index } = remove(queue, track.id);
  return { tracks: [...tracks, track], index: Math.max(index, 0) };
}

/** Removes a track. After the current one is removed, the next is current, or the previous at the end. */
export function remove<T extends { id: number }>({ tracks, index }: Queue<T>, id: number): Queue<T> {
  const removed = tracks.findIndex((track) => track.id === id);
  if (removed === -1) return { tracks, index };
  const rest = tracks.toSpliced(removed, 1);
  return { tracks: rest, index: Math.min(removed < index ? index - 1 : index, rest.length - 1) };
}

export const hasPrevious = ({ index }: Queue<{ id: number }>) => index > 0;
export const hasNext = ({ tracks, index }: Queue<{ id: number }>) => index < tracks.length - 1;

export const previous = <T extends { id: number }>(queue: Queue<T>): Queue<T> =>
  hasPrevious(queue) ? { ...queue, index: queue.index - 1 } : queue;

export const next = <T extends { id: number }>(queue: Queue<T>): Queue<T> =>
  hasNext(queue) ? { ...queue, index: queue.index + 1 } : queue;
