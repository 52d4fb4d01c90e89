import { entriesOf, type Track } from "#worker/files/audio/mp4-samples.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** The edit list of a track, ISO 14496-12, 8.6.6: which stretches of its samples are played. */

/** Seconds of the samples. */
type Edit = { start: number; end: number };

/** `timescale`: ticks a second of the movie, in which an edit's length is counted. Null where there is no list. */
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
    // Before its sound begins: nothing is heard.
    if (start < 0) continue;
    const from = start / track.timescale;
    // Fragments follow, whose length was not known yet: all of them.
    edits.push({ start: from, end: length === 0 ? Infinity : from + length / timescale });
  }
  return edits.length > 0 ? edits : null;
}

/** Nobody cuts a recording into as many. */
const MOST_EDITS = 10_000;

/** Seconds that are played of so many. */
export const playedOf = (edits: Edit[] | null, seconds: number) =>
  edits
    ? edits.reduce((total, { start, end }) => total + Math.max(0, Math.min(end, seconds) - start), 0)
    : seconds;
