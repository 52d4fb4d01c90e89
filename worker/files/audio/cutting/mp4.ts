import { readEdits } from "#worker/files/audio/mp4-edits.ts";
import { chunkOf, entriesOf, readChunks, type Track } from "#worker/files/audio/mp4-samples.ts";
import { readSound } from "#worker/files/audio/mp4-sound.ts";
import { Collector, type Limits, type Piece, type Position } from "#worker/files/audio/cutting/piece.ts";
import { bytesOf } from "#worker/files/audio/walk.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Pieces of the AAC in an MP4, as ADTS: each sample gets a header of 7 bytes, and no tables are needed. ISO 14496-3, 1.A.2.2 */

const HEADER = 7;
const LONGEST_SAMPLE = 8191 - HEADER;

type Sample = { offset: number; size: number };
type Config = { profile: number; rate: number; channels: number };

/** Null for another codec, for AAC that ADTS cannot describe, and for a file whose samples are in fragments. */
export async function cutMp4(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const reader = new Reader(file);
  const found = await readSound(reader);
  if (!found || found.hasFragments) return null;
  const { sound, timescale } = found;
  const config = await readConfig(reader, sound);
  const tables = tablesOf(sound);
  if (!config || !tables || sound.timescale === 0) return null;
  const edits = await readEdits(reader, sound, timescale);
  const skipped = edits?.[0]?.start ?? 0;
  const collector = new Collector(limits);
  const samples: Sample[] = [];
  for await (const sample of samplesFrom(file, tables, from?.at ?? 0)) {
    const { number, size, ticks, length } = sample;
    if (size > LONGEST_SAMPLE) return null;
    const start = ticks / sound.timescale - skipped;
    const stop = start + length / sound.timescale;
    if (!collector.add({ at: number, bytes: size + HEADER, start, stop })) break;
    samples.push(sample);
  }
  const { first, last, next } = collector;
  if (!first || !last) return null;
  return {
    bytes: await writeAdts(file, config, samples, 2 * limits.bytes),
    type: "audio/aac",
    extension: "aac",
    start: first.start,
    end: last.stop,
    next: next && { at: next.at, seconds: next.start },
  };
}

type Tables = NonNullable<ReturnType<typeof tablesOf>>;

function tablesOf({ boxes }: Track) {
  const [stsc, stts, stsz] = [boxes.get("stsc"), boxes.get("stts"), boxes.get("stsz")];
  const offsets = boxes.get("stco") ?? boxes.get("co64");
  return stsc && stts && stsz && offsets ? { stsc, stts, stsz, offsets } : null;
}

/** The samples from one on: its number, its place in the file, and its time in ticks. */
async function* samplesFrom(file: Blob, { stsc, stts, stsz, offsets }: Tables, first: number) {
  // A window for each table: with one, each sample would be several reads of the storage.
  const chunks = await readChunks(new Reader(file), offsets);
  const times = timesFrom(new Reader(file), stts, first);
  const sizes = sizesFrom(new Reader(file), stsz, first);
  const reader = new Reader(file);
  let number = first;
  let { chunk, skipped, runs } = await chunkOf(reader, stsc, first);
  for (; chunk <= chunks.count; chunk++) {
    const count = runs.findLast((run) => run.from <= chunk)?.samples ?? 0;
    let offset = await chunks.offset(chunk);
    // The sizes of the samples before it in its chunk are needed for its place.
    if (skipped > 0) offset += await sizeOf(reader, stsz, number - skipped, skipped);
    for (let within = skipped; within < count; within++) {
      const [size, time] = [await sizes.next(), await times.next()];
      if (size.done || time.done || offset + size.value > reader.size) return;
      yield { number, offset, size: size.value, ...time.value };
      offset += size.value;
      number++;
    }
    skipped = 0;
  }
}

async function* sizesFrom(reader: Reader, stsz: Tables["stsz"], first: number) {
  const head = await reader.view(stsz.content + 4, 8);
  const [size, count] = [head.getUint32(0), head.getUint32(4)];
  if (size > 0) for (let number = first; number < count; number++) yield size;
  else
    for await (const entry of entriesOf(reader, stsz, { at: 12 + first * 4, width: 4 }))
      yield entry.getUint32(0);
}

async function sizeOf(reader: Reader, stsz: Tables["stsz"], first: number, count: number) {
  let [total, left] = [0, count];
  for await (const size of sizesFrom(reader, stsz, first)) {
    if (left-- === 0) break;
    total += size;
  }
  return total;
}

async function* timesFrom(reader: Reader, stts: Tables["stts"], first: number) {
  let [ticks, skipped] = [0, first];
  for await (const entry of entriesOf(reader, stts, { at: 8, width: 8 })) {
    const [count, length] = [entry.getUint32(0), entry.getUint32(4)];
    const passed = Math.min(skipped, count);
    skipped -= passed;
    ticks += passed * length;
    for (let left = count - passed; left > 0; left--) {
      yield { ticks, length };
      ticks += length;
    }
  }
}

const AUDIO_ENTRY = 28;
/** Descriptors of ISO 14496-1: stream, decoder configuration, and codec-specific data. */
const [STREAM, DECODER, SPECIFIC] = [3, 4, 5];
const DECODER_FIELDS = 13;
const AAC_IN_MP4 = 0x40;
const [AAC_MAIN, AAC_LTP, SBR, PS] = [1, 4, 5, 29];

/** From the AudioSpecificConfig, ISO 14496-3, 1.6.2.1. Programs decode the SBR in a stream that does not announce it. */
async function readConfig(reader: Reader, { codec, boxes }: Track): Promise<Config | null> {
  const stsd = boxes.get("stsd");
  if (codec !== "mp4a" || !stsd) return null;
  const entry = await reader.bytes(stsd.content + 16, stsd.end);
  const esds = findEsds(entry);
  const specific = esds && findSpecific(esds);
  if (!specific || specific.length < 2) return null;
  let at = 0;
  const bits = (count: number) => {
    let value = 0;
    for (let left = count; left > 0; left--, at++)
      value = value * 2 + (((specific[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const announced = bits(5);
  const rate = bits(4);
  const channels = bits(4);
  const isExtended = announced === SBR || announced === PS;
  // Behind it the rate with SBR; 15 means that a number of 24 bits follows, which ADTS has no room for.
  if (isExtended && bits(4) === 15) return null;
  const type = isExtended ? bits(5) : announced;
  if (type < AAC_MAIN || type > AAC_LTP || rate > 12 || channels === 0 || channels > 7) return null;
  return { profile: type - 1, rate, channels };
}

function findEsds(entry: Uint8Array) {
  const text = new TextDecoder("latin1").decode(entry.subarray(AUDIO_ENTRY - 8));
  // In a QuickTime file it is within `wave`.
  const at = text.indexOf("esds");
  return at === -1 ? null : entry.subarray(AUDIO_ENTRY - 8 + at + 8);
}

function findSpecific(esds: Uint8Array) {
  let at = 0;
  const descriptor = () => {
    const tag = esds[at++];
    let [length, byte] = [0, 0x80];
    for (let count = 0; count < 4 && byte & 0x80; count++) {
      byte = esds[at++] ?? 0;
      length = length * 128 + (byte & 0x7f);
    }
    return { tag, length };
  };
  if (descriptor().tag !== STREAM) return null;
  const flags = esds[at + 2] ?? 0;
  at += 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + (esds[at + 3] ?? 0) : 0) + (flags & 0x20 ? 2 : 0);
  if (descriptor().tag !== DECODER || esds[at] !== AAC_IN_MP4) return null;
  at += DECODER_FIELDS;
  const { tag, length } = descriptor();
  return tag === SPECIFIC ? esds.subarray(at, at + length) : null;
}

async function writeAdts(file: Blob, { profile, rate, channels }: Config, samples: Sample[], most: number) {
  const read = await openSamples(file, samples, most);
  const written = new Uint8Array(samples.reduce((total, { size }) => total + size + HEADER, 0));
  let at = 0;
  for (const { offset, size } of samples) {
    const length = size + HEADER;
    const header = [
      0xff,
      // MPEG-4, without a checksum.
      0xf1,
      (profile << 6) | (rate << 2) | (channels >> 2),
      ((channels & 3) << 6) | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ];
    written.set(header, at);
    written.set(await read(offset, offset + size), at + HEADER);
    at += length;
  }
  return written;
}

/** Reads all samples together if they are close to each other, as in a file with sound alone. */
async function openSamples(file: Blob, samples: Sample[], most: number) {
  const start = Math.min(...samples.map(({ offset }) => offset));
  const end = Math.max(...samples.map(({ offset, size }) => offset + size));
  if (end - start > most) {
    const reader = new Reader(file);
    return (from: number, to: number) => reader.bytes(from, to);
  }
  const all = await bytesOf(file, start, end);
  return (from: number, to: number) => all.subarray(from - start, to - start);
}
