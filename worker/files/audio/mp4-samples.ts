import type { Box } from "#worker/files/audio/boxes.ts";
import { tooManyParts } from "#worker/files/invalid.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Where the samples of a track stand, ISO 14496-12, 8.6 and 8.7: chunks by offset, samples by chunk and by size. */

export type Track = {
  id: number;
  /** `soun`, `vide`, `text` and others. */
  handler: string;
  codec: string;
  /** Ticks a second, and the ticks of all samples; null if that is not known. */
  timescale: number;
  duration: number | null;
  /** The tracks that are its chapters: their titles, and their pictures. */
  chapters: number[];
  boxes: Map<string, Box>;
};

/** Entries of a table that are read one after another: 20 ms each are five hours. */
const MOST_ENTRIES = 1_000_000;
const ENTRIES_A_READ = 8192;

/**
 * Seconds of the samples that end within the file; null if the tables do not say, or all samples exist. `isCut`: also
 * when the last chunk begins within the file.
 */
export async function secondsThatFit(reader: Reader, { boxes, timescale }: Track, isCut: boolean) {
  const [offsets, stsc, stts] = [
    boxes.get("stco") ?? boxes.get("co64"),
    boxes.get("stsc"),
    boxes.get("stts"),
  ];
  const stsz = boxes.get("stsz");
  if (!offsets || !stsc || !stts || !stsz || timescale === 0) return null;
  const chunks = await readChunks(reader, offsets);
  if (chunks.count === 0) return 0;
  if (!isCut && (await chunks.offset(chunks.count)) < reader.size) return null;
  const chunk = await lastChunk(reader, chunks);
  if (chunk === 0) return 0;
  const { before, within } = await samplesOf(reader, stsc, chunk);
  const fitting = await countFitting(reader, stsz, {
    first: before,
    count: within,
    offset: await chunks.offset(chunk),
  });
  return (await ticksOf(reader, stts, before + fitting)) / timescale;
}

type Chunks = Awaited<ReturnType<typeof readChunks>>;

export async function readChunks(reader: Reader, { type, content, end }: Box) {
  const width = type === "co64" ? 8 : 4;
  const count = Math.min((await reader.view(content + 4, 4)).getUint32(0), (end - content - 8) / width);
  const offset = async (number: number) => {
    const entry = await reader.view(content + 8 + (number - 1) * width, width);
    return width === 8 ? Number(entry.getBigUint64(0)) : entry.getUint32(0);
  };
  return { count: Math.floor(count), offset };
}

/** The last chunk that begins within the file, counted from 1. Chunks stand in the order of time. */
async function lastChunk(reader: Reader, { count, offset }: Chunks) {
  let [inside, outside] = [0, count + 1];
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if ((await offset(middle)) < reader.size) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** How many samples stand before a chunk and in it. */
async function samplesOf(reader: Reader, stsc: Box, chunk: number) {
  let [before, from, within] = [0, 1, 0];
  for await (const entry of entriesOf(reader, stsc, { at: 8, width: 12 })) {
    const first = Math.min(entry.getUint32(0), chunk);
    before += (first - from) * within;
    from = first;
    if (entry.getUint32(0) > chunk) break;
    within = entry.getUint32(4);
  }
  return { before: before + (chunk - from) * within, within };
}

/** The chunk with a sample, the samples before it in that chunk, and how many each chunk has. */
export async function chunkOf(reader: Reader, stsc: Box, sample: number) {
  const runs: { from: number; samples: number; before: number }[] = [];
  for await (const entry of entriesOf(reader, stsc, { at: 8, width: 12 })) {
    const last = runs.at(-1);
    const from = entry.getUint32(0);
    const before = last ? last.before + (from - last.from) * last.samples : 0;
    runs.push({ from, samples: entry.getUint32(4), before });
  }
  const run = runs.findLast(({ before }) => before <= sample);
  if (!run || run.samples === 0) return { chunk: Infinity, skipped: 0, runs };
  const within = sample - run.before;
  return { chunk: run.from + Math.floor(within / run.samples), skipped: within % run.samples, runs };
}

type Chunk = { first: number; count: number; offset: number };

async function countFitting(reader: Reader, stsz: Box, { first, count, offset }: Chunk) {
  const size = (await reader.view(stsz.content + 4, 4)).getUint32(0);
  if (size > 0) return Math.min(count, Math.floor((reader.size - offset) / size));
  let [fitting, at] = [0, offset];
  for await (const entry of entriesOf(reader, stsz, { at: 12 + first * 4, width: 4 })) {
    at += entry.getUint32(0);
    if (fitting === count || at > reader.size) break;
    fitting++;
  }
  return fitting;
}

async function ticksOf(reader: Reader, stts: Box, samples: number) {
  let [ticks, left] = [0, samples];
  for await (const entry of entriesOf(reader, stts, { at: 8, width: 8 })) {
    const counted = Math.min(left, entry.getUint32(0));
    ticks += counted * entry.getUint32(4);
    left -= counted;
    if (left === 0) break;
  }
  return ticks;
}

/** The entries of a table from an offset within its box on. */
export async function* entriesOf(
  reader: Reader,
  { content, end }: Box,
  { at, width }: { at: number; width: number },
) {
  let count = 0;
  for (let start = content + at; start + width <= end;) {
    const length = Math.min(ENTRIES_A_READ, Math.floor((end - start) / width)) * width;
    const block = await reader.view(start, length);
    for (let entry = 0; entry < length; entry += width) {
      if (++count > MOST_ENTRIES) throw tooManyParts();
      yield new DataView(block.buffer, block.byteOffset + entry, width);
    }
    start += length;
  }
}
