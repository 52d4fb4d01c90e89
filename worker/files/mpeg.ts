import { skipId3 } from "#worker/files/audio/id3.ts";
import { Reader } from "#worker/files/metadata/reader.ts";

/** MPEG audio layers III and II, and AAC, as far as frame headers go: where the sound begins and how long it lasts. */

/** kbit/s by the header's index, MPEG 2 / 2.5 in both layers. ISO 13818-3. */
const LOW_BITRATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
/** The same of MPEG 1, ISO 11172-3, 2.4.2.3. `bits`: of the layer in a header. */
const LAYER_3 = {
  bits: 1,
  bitrates: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  lowSamples: 576,
} as const;
const LAYER_2 = {
  bits: 2,
  bitrates: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  lowSamples: 1152,
} as const;
/** Hz; halved for MPEG 2 and again for 2.5. */
const RATES = [44_100, 48_000, 32_000] as const;
/** The header's version bits; 1 is reserved. */
const MPEG_1 = 3;
const MPEG_2 = 2;
const MPEG_2_5 = 0;

const SYNC_WITHIN = 64 * 1024;
const SAMPLES = 16;
const SAMPLE_SIZE = 256 * 1024;

/** Hz by the header's index, ISO 13818-7, 6.2.1. */
const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
] as const;
const AAC_SAMPLES = 1024;
const AAC_HEADER = 7;

type Frame = { bytes: number; seconds: number };
type MpegFrame = Frame & { rate: number };
type ReadFrame = (bytes: Uint8Array, at: number) => Frame | null;

export const readMp3Frame = (bytes: Uint8Array, at: number) => readMpegFrame(bytes, at, LAYER_3);
const readMp2Frame: ReadFrame = (bytes, at) => readMpegFrame(bytes, at, LAYER_2);

function readMpegFrame(
  bytes: Uint8Array,
  at: number,
  layer: typeof LAYER_2 | typeof LAYER_3,
): MpegFrame | null {
  const [first, second, third] = [byteAt(bytes, at), byteAt(bytes, at + 1), byteAt(bytes, at + 2)];
  const version = (second >> 3) & 3;
  if (first !== 0xff || second < 0xe0 || ((second >> 1) & 3) !== layer.bits) return null;
  if (version !== MPEG_1 && version !== MPEG_2 && version !== MPEG_2_5) return null;
  const kbps = (version === MPEG_1 ? layer.bitrates : LOW_BITRATES)[third >> 4];
  const baseRate = RATES[(third >> 2) & 3];
  if (!kbps || !baseRate) return null;
  const rate = version === MPEG_1 ? baseRate : version === MPEG_2 ? baseRate / 2 : baseRate / 4;
  const samples = version === MPEG_1 ? 1152 : layer.lowSamples;
  const padding = (third >> 1) & 1;
  return {
    bytes: Math.floor((samples / 8) * ((kbps * 1000) / rate)) + padding,
    seconds: samples / rate,
    rate,
  };
}

/** ADTS: a dozen sync bits, no layer. */
function readAacFrame(bytes: Uint8Array, at: number): Frame | null {
  const [first, second, third] = [byteAt(bytes, at), byteAt(bytes, at + 1), byteAt(bytes, at + 2)];
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return null;
  const rate = AAC_RATES[(third >> 2) & 15];
  const length =
    ((byteAt(bytes, at + 3) & 3) << 11) | (byteAt(bytes, at + 4) << 3) | (byteAt(bytes, at + 5) >> 5);
  if (!rate || length < AAC_HEADER) return null;
  const blocks = (byteAt(bytes, at + 6) & 3) + 1;
  return { bytes: length, seconds: (blocks * AAC_SAMPLES) / rate };
}

/** The first frame at or after `from` that another frame, or the end, follows: a lone sync word may be chance. */
function findFrame(readFrame: ReadFrame, bytes: Uint8Array, from: number) {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readFrame(bytes, at);
    if (frame && (at + frame.bytes === bytes.length || readFrame(bytes, at + frame.bytes))) return at;
  }
  return null;
}

/** Bytes before the first frame of an MP3; null when there is no frame. */
export const findMp3Start = (file: Blob) => findStart(readMp3Frame, file);
/** The same of layer II, which many programs call MP3, too. */
export const findMp2Start = (file: Blob) => findStart(readMp2Frame, file);
export const findAacStart = (file: Blob) => findStart(readAacFrame, file);

async function findStart(readFrame: ReadFrame, file: Blob): Promise<number | null> {
  const tags = await skipId3(new Reader(file));
  const bytes = await bytesOf(file, tags, tags + SYNC_WITHIN);
  const frame = findFrame(readFrame, bytes, 0);
  return frame === null ? null : tags + frame;
}

export const measureMp3 = (file: Blob, start: number) => measure(readMp3Frame, file, start);
export const measureAac = (file: Blob, start: number) => measure(readAacFrame, file, start);

/**
 * Seconds of a file that does not say how long it is, and the share of its bytes that is sound: counted where the file
 * is small, otherwise worked out from stretches taken evenly from the whole, since a variable bitrate cannot be known
 * from the beginning alone.
 */
async function measure(readFrame: ReadFrame, file: Blob, start: number) {
  const audio = file.size - start;
  if (audio <= SAMPLES * SAMPLE_SIZE) {
    const { bytes, seconds } = sum(readFrame, await bytesOf(file, start, file.size));
    return { seconds, share: bytes / audio };
  }
  const stride = (audio - SAMPLE_SIZE) / (SAMPLES - 1);
  const total = { bytes: 0, seconds: 0 };
  for (let sample = 0; sample < SAMPLES; sample++) {
    const at = start + Math.floor(sample * stride);
    const { bytes, seconds } = sum(readFrame, await bytesOf(file, at, at + SAMPLE_SIZE));
    total.bytes += bytes;
    total.seconds += seconds;
  }
  const seconds = total.bytes === 0 ? 0 : (audio * total.seconds) / total.bytes;
  return { seconds, share: total.bytes / (SAMPLES * SAMPLE_SIZE) };
}

/** Bytes and seconds of all whole frames in a stretch. */
function sum(readFrame: ReadFrame, bytes: Uint8Array): Frame {
  const total = { bytes: 0, seconds: 0 };
  let at = findFrame(readFrame, bytes, 0);
  while (at !== null) {
    const frame = readFrame(bytes, at);
    if (!frame) {
      at = findFrame(readFrame, bytes, at);
    } else if (at + frame.bytes > bytes.length) {
      at = null;
    } else {
      total.bytes += frame.bytes;
      total.seconds += frame.seconds;
      at += frame.bytes;
    }
  }
  return total;
}

/** Zero beyond the end. It is asked of every byte that may begin a frame. */
const byteAt = (bytes: Uint8Array, at: number) => bytes[at] ?? 0;

export const bytesOf = async (file: Blob, start: number, end: number) =>
  new Uint8Array(await file.slice(start, end).arrayBuffer());
