import { skipId3 } from "#worker/files/audio/id3.ts";
import { cutTo, whole } from "#worker/files/audio/length.ts";
import type { Reader } from "#worker/files/metadata/reader.ts";

/** What a FLAC says that it lasts, and how far its frames go. RFC 9639, 8.2 and 9.1 */

/** "fLaC", and the header of the first block, which describes the stream. */
const STREAMINFO_AT = 8;
/** Longer than two frames; a file without that many is read whole. */
const LAST_BYTES = 256 * 1024;
const LONGEST_HEADER = 16;
/** Samples of a frame by the header's code; 6 and 7 stand for a number behind the header. */
const BLOCK_SIZES = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];

/** `duration`: seconds, as the file states them. */
export async function readFlacLength(reader: Reader, duration: number | null) {
  const start = (await skipId3(reader)) + STREAMINFO_AT;
  if (!duration || start + 18 > reader.size) return whole(duration);
  const info = await reader.view(start, 18);
  const rate = info.getUint32(10) >>> 12;
  const samples = (info.getUint8(13) & 0xf) * 2 ** 32 + info.getUint32(14);
  const from = Math.max(start, reader.size - LAST_BYTES);
  const last = await reader.bytes(from, reader.size);
  const end = lastSample(last, { blockSize: info.getUint16(0), samples });
  return end === null || rate === 0 ? whole(duration) : cutTo(end / rate, duration);
}

type Stream = { blockSize: number; samples: number };

/** How far the frames in these bytes go; the last one is not believed to be whole unless it ends the stream. */
function lastSample(bytes: Uint8Array, stream: Stream) {
  let furthest: number | null = null;
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readFrame(bytes.subarray(at, at + LONGEST_HEADER), stream);
    if (!frame || frame.first + frame.samples > stream.samples) continue;
    const isLast = frame.first + frame.samples === stream.samples;
    furthest = Math.max(furthest ?? 0, isLast ? stream.samples : frame.first);
  }
  return furthest;
}

/** The frame whose header stands here, by its checksum. */
function readFrame(bytes: Uint8Array, stream: Stream) {
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
  // Frames of one size count frames, others count samples.
  return { first: second & 1 ? number.value : number.value * stream.blockSize, samples };
}

/** As UTF-8 would write it, up to 36 bits. */
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
