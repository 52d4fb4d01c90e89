import { skipId3 } from "#worker/files/audio/id3.ts";
import { cutTo, whole, type Length } from "#worker/files/audio/length.ts";
import { walk } from "#worker/files/audio/walk.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** The duration that a FLAC file states, and where its frames end. RFC 9639, 8.2 and 9.1 */

/** "fLaC", and the header of the first block, which describes the stream: its length, and a bit if it is the last. */
const MARKER = [0x66, 0x4c, 0x61, 0x43];
const STREAMINFO = [0, 0, 0, 34];
const ONLY_BLOCK = 0x80;
export const STREAMINFO_AT = MARKER.length + STREAMINFO.length;
/** Longer than two frames; if the last bytes have fewer frames, the whole file is read. */
const LAST_BYTES = 256 * 1024;
export const LONGEST_HEADER = 16;
/** After the last frame of some files. */
const ID3V1 = 128;
/** Samples of a frame by the header's code; 6 and 7 mean that a number follows the header. */
const BLOCK_SIZES = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];

/** `samples` is 0 if the encoder wrote to a pipe, and could not seek back to write the count. */
type Stream = { start: number; rate: number; blockSize: number; samples: number };

export async function readFlacLength(file: Blob): Promise<Length> {
  const reader = new Reader(file);
  const stream = await readStream(reader);
  if (!stream) return whole(null);
  const last = await lengthTo(reader, stream, file.size);
  // Players stop or stutter where another file begins.
  const isWhole = stream.samples > 0 && last.flaw === null;
  const next = await findNext(file, isWhole ? Math.max(stream.start, file.size - LAST_BYTES) : stream.start);
  return next === null ? last : { ...(await lengthTo(reader, stream, next)), flaw: "joined" };
}

export async function readStream(reader: Reader): Promise<Stream | null> {
  const start = (await skipId3(reader)) + STREAMINFO_AT;
  if (start + 18 > reader.size) return null;
  const info = await reader.view(start, 18);
  const [rate, samples] = [
    info.getUint32(10) >>> 12,
    (info.getUint8(13) & 0xf) * 2 ** 32 + info.getUint32(14),
  ];
  return rate === 0 ? null : { start, rate, samples, blockSize: info.getUint16(2) };
}

/** `end`: of the file, or of its first part if another file follows. */
async function lengthTo(reader: Reader, stream: Stream, end: number): Promise<Length> {
  const from = Math.max(stream.start, end - LAST_BYTES);
  const last = lastFrame(await reader.bytes(from, end), stream);
  const stated = stream.samples / stream.rate;
  if (!last) return whole(stated || null);
  const seconds = (last.isWhole ? last.first + last.samples : last.first) / stream.rate;
  if (stated > 0) return cutTo(seconds, stated);
  return { ...whole(seconds), flaw: last.isWhole ? null : "cut_off" };
}

/** The last frame in these bytes that directly follows another one: a lone header may be chance. */
function lastFrame(bytes: Uint8Array, stream: Stream) {
  const ends = new Set([0]);
  let last: (Frame & { at: number }) | null = null;
  for (const frame of framesOf(bytes, stream)) {
    ends.add(frame.first + frame.samples);
    if (ends.has(frame.first) && frame.first >= (last?.first ?? 0)) last = frame;
  }
  if (!last) return null;
  const isWhole =
    stream.samples > 0 ? last.first + last.samples === stream.samples : isFrame(bytes.subarray(last.at));
  return { ...last, isWhole };
}

/** All that looks like the header of a frame; some may be chance. */
export function* framesOf(bytes: Uint8Array, stream: Stream) {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readFrame(bytes.subarray(at, at + LONGEST_HEADER), stream);
    if (frame) yield { ...frame, at };
  }
}

/** Whether the checksum of the whole frame is right. */
const isFrame = (bytes: Uint8Array) =>
  crc16(bytes) === 0 || (bytes.length > ID3V1 && crc16(bytes.subarray(0, -ID3V1)) === 0);

/** The position at which another file begins in this one. */
async function findNext(file: Blob, from: number) {
  let found: number | null = null;
  await walk(file, from, (bytes, { at, isLast }) => {
    const marker = findMarker(bytes);
    if (marker !== null) found ??= at + marker;
    // The rest may be the start of one.
    return isLast ? bytes.length : bytes.length - STREAMINFO_AT;
  });
  return found;
}

function findMarker(bytes: Uint8Array) {
  const [first = 0] = MARKER;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const block = (bytes[at + MARKER.length] ?? 0) & ONLY_BLOCK;
    const header = [...MARKER, block, ...STREAMINFO.slice(1)];
    if (header.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return null;
}

type Frame = { first: number; samples: number };

/** The frame whose header begins here, if its checksum is right. */
function readFrame(bytes: Uint8Array, stream: Stream): Frame | null {
  const [sync = 0, second = 0, sizes = 0, channels = 0] = bytes;
  if (sync !== 0xff || (second & 0xfe) !== 0xf8 || sizes >> 4 === 0 || channels & 1) return null;
  const number = readNumber(bytes);
  if (!number) return null;
  const [sizeCode, rateCode] = [sizes >> 4, sizes & 0xf];
  const more = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rate = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const end = number.end + more + rate;
  if (end >= bytes.length || crc8(bytes.subarray(0, end)) !== bytes[end]) return null;
  const given = bytes.subarray(number.end, number.end + more).reduce((value, byte) => value * 256 + byte, 0);
  const samples = more > 0 ? given + 1 : (BLOCK_SIZES[sizeCode] ?? 0);
  // Frames of a fixed size are numbered; others state their first sample.
  return { first: second & 1 ? number.value : number.value * stream.blockSize, samples };
}

/** A number of up to 36 bits, coded like UTF-8. */
function readNumber(bytes: Uint8Array) {
  const first = bytes[4] ?? 0xff;
  if (first < 0x80) return { value: first, end: 5 };
  const length = Math.clz32(~(first << 24));
  if (length < 2 || length > 7) return null;
  let value = first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[4 + index] ?? 0;
    if (byte >> 6 !== 2) return null;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, end: 4 + length };
}

/** Polynomial x⁸ + x² + x + 1. */
function crc8(bytes: Uint8Array) {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 7 : 0)) & 0xff;
  }
  return crc;
}

/** Polynomial x¹⁶ + x¹⁵ + x² + 1. */
function crc16(bytes: Uint8Array) {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0)) & 0xffff;
  }
  return crc;
}
