import { entriesOf, type Track } from "#worker/files/audio/mp4-samples.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** The edit list of a track, ISO 14496-12, 8.6.6: which parts of its samples are played. */

/** Seconds within the samples. */
type Edit = { start: number; end: number };

/** `timescale`: ticks a second of the movie, the unit of an edit's length. Null without a list. */
export async function readEdits(reader: Reader, track: Track, timescale: number): Promise<Edit[] | null> {
  const elst = track.boxes.get("elst");
  if (!elst || timescale === 0 || track.timescale === 0) return null;
  const head = await reader.view(elst.content, 8);
  const [isWide, count] = [head.getUint8(0) === 1, head.getUint32(4)];
  const edits: Edit[] = [];
  let entries = 0;
  for await (const entry of entriesOf(reader, elst, { at: 8, width: isWide ? 20 : 12 })) {
    if (++entries > Math.min(count, MOST_EDITS)) break;
    const length = isWide ? Number(entry.getBigUint64(0)) : entry.getUint32(0);
    const start = isWide ? Number(entry.getBigInt64(8)) : entry.getInt32(4);
    // An empty edit: silence before the sound begins.
    if (start < 0) continue;
    const from = start / track.timescale;
    // Length 0: fragments follow, whose length was unknown. All of them are played.
    edits.push({ start: from, end: length === 0 ? Infinity : from + length / timescale });
  }
  return edits.length > 0 ? edits : null;
}

/** More than any real recording has. */
const MOST_EDITS = 10_000;

/** How many of these seconds are played. */
export const playedOf = (edits: Edit[] | null, seconds: number) =>
  edits
    ? edits.reduce((total, { start, end }) => total + Math.max(0, Math.min(end, seconds) - start), 0)
    : seconds;
