/** The frame headers of MPEG audio's layers and of AAC. Also used by the browser: it imports nothing. */

type Layer = {
  /** Of the layer in a header. */
  bits: number;
  /** kbit/s by the header's index: MPEG 1, ISO 11172-3, 2.4.2.3; MPEG 2 and 2.5, ISO 13818-3. */
  bitrates: number[];
  lowBitrates: number[];
  samples: number;
  lowSamples: number;
  /** Bytes in which a frame is counted. */
  slot: number;
};

const LOW_BITRATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const LAYER_3: Layer = {
  bits: 1,
  bitrates: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  lowBitrates: LOW_BITRATES,
  samples: 1152,
  lowSamples: 576,
  slot: 1,
};
const LAYER_2: Layer = {
  bits: 2,
  bitrates: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  lowBitrates: LOW_BITRATES,
  samples: 1152,
  lowSamples: 1152,
  slot: 1,
};
const LAYER_1: Layer = {
  bits: 3,
  bitrates: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  lowBitrates: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  samples: 384,
  lowSamples: 384,
  slot: 4,
};
/** Hz; halved for MPEG 2 and again for 2.5. */
const RATES = [44_100, 48_000, 32_000] as const;
/** The header's version bits; 1 is reserved. */
const MPEG_1 = 3;
const MPEG_2 = 2;
const MPEG_2_5 = 0;

/** Bytes of the longest frame of all: the length of an AAC frame has 13 bits. */
const LONGEST_FRAME = 8191;
/** As many as show that a frame begins. */
const HEADER = 7;

/** Hz by the header's index, ISO 13818-7, 6.2.1. */
const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
] as const;
const AAC_SAMPLES = 1024;

export type Frame = { bytes: number; seconds: number };
type MpegFrame = Frame & { rate: number };
export type ReadFrame = (bytes: Uint8Array, at: number) => Frame | null;

export const readMp3Frame = (bytes: Uint8Array, at: number) => readMpegFrame(bytes, at, LAYER_3);
export const readMp2Frame: ReadFrame = (bytes, at) => readMpegFrame(bytes, at, LAYER_2);
export const readMp1Frame: ReadFrame = (bytes, at) => readMpegFrame(bytes, at, LAYER_1);

function readMpegFrame(bytes: Uint8Array, at: number, layer: Layer): MpegFrame | null {
  const [first, second, third] = [byteAt(bytes, at), byteAt(bytes, at + 1), byteAt(bytes, at + 2)];
  const version = (second >> 3) & 3;
  if (first !== 0xff || second < 0xe0 || ((second >> 1) & 3) !== layer.bits) return null;
  if (version !== MPEG_1 && version !== MPEG_2 && version !== MPEG_2_5) return null;
  const kbps = (version === MPEG_1 ? layer.bitrates : layer.lowBitrates)[third >> 4];
  const baseRate = RATES[(third >> 2) & 3];
  if (!kbps || !baseRate) return null;
  const rate = version === MPEG_1 ? baseRate : version === MPEG_2 ? baseRate / 2 : baseRate / 4;
  const samples = version === MPEG_1 ? layer.samples : layer.lowSamples;
  const padding = (third >> 1) & 1;
  return {
    bytes: (Math.floor((samples / 8 / layer.slot) * ((kbps * 1000) / rate)) + padding) * layer.slot,
    seconds: samples / rate,
    rate,
  };
}

/** ADTS: a dozen sync bits, no layer. */
export function readAacFrame(bytes: Uint8Array, at: number): Frame | null {
  const [first, second, third] = [byteAt(bytes, at), byteAt(bytes, at + 1), byteAt(bytes, at + 2)];
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return null;
  const rate = AAC_RATES[(third >> 2) & 15];
  const length =
    ((byteAt(bytes, at + 3) & 3) << 11) | (byteAt(bytes, at + 4) << 3) | (byteAt(bytes, at + 5) >> 5);
  if (!rate || length < HEADER) return null;
  const blocks = (byteAt(bytes, at + 6) & 3) + 1;
  return { bytes: length, seconds: (blocks * AAC_SAMPLES) / rate };
}

/** The first frame at or after `from` that another frame, or the end, follows: a lone sync word may be chance. */
export function findFrame(readFrame: ReadFrame, bytes: Uint8Array, from: number) {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const frame = readFrame(bytes, at);
    if (frame && (at + frame.bytes === bytes.length || readFrame(bytes, at + frame.bytes))) return at;
  }
  return null;
}

/** The frames in a stretch. Returns where the next one may begin. */
export function* framesIn(readFrame: ReadFrame, bytes: Uint8Array, isLast: boolean) {
  const end = isLast ? bytes.length : bytes.length - LONGEST_FRAME - HEADER;
  let at = 0;
  while (at < end) {
    const frame = readFrame(bytes, at);
    if (frame) {
      yield { at, ...frame };
      at += frame.bytes;
    } else at = findFrame(readFrame, bytes, at + 1) ?? end;
  }
  return at;
}

/** By the header of a frame of MP3. */
export const isMpeg1 = (bytes: Uint8Array, at: number) => ((byteAt(bytes, at + 1) >> 3) & 3) === MPEG_1;
export const isMono = (bytes: Uint8Array, at: number) => byteAt(bytes, at + 3) >> 6 === 3;

/** Zero beyond the end. It is asked of every byte that may begin a frame. */
const byteAt = (bytes: Uint8Array, at: number) => bytes[at] ?? 0;
