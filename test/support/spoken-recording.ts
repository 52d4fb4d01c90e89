/** A recording without sound whose every frame has its number, so that a server knows which part of it it was sent. */

const RATE = 44_100;
const DIGITS = 4;

/** MPEG 1 layer III in mono: a header, side information that says silence, and the number. By kbit/s. */
const layers = { 32: 0x10, 320: 0xe0 };
const NUMBER_AT = 21;
const MP3_SECONDS = 1152 / RATE;

export function spokenRecording(seconds: number, kbps: keyof typeof layers = 32) {
  const frame = frameOf(kbps);
  const frames = Math.ceil(seconds / MP3_SECONDS);
  const bytes = new Uint8Array(frames * frame);
  for (let number = 0; number < frames; number++) {
    bytes.set([0xff, 0xfb, layers[kbps], 0xc0], number * frame);
    writeNumber(bytes, number * frame + NUMBER_AT, number);
  }
  return bytes;
}

const frameOf = (kbps: number) => Math.floor((144_000 * kbps) / RATE);

// Seven bits a byte: none is the beginning of a frame.
function writeNumber(bytes: Uint8Array, at: number, number: number) {
  for (let digit = 0; digit < DIGITS; digit++) bytes[at + digit] = (number >> (7 * digit)) & 0x7f;
}

const readNumber = (bytes: Uint8Array, at: number) =>
  Array.from({ length: DIGITS }, (_, digit) => bytes[at + digit]! << (7 * digit)).reduce(
    (sum, value) => sum + value,
  );

const AAC_SECONDS = 1024 / RATE;
const ADTS_HEADER = 7;

/** Numbers the samples of an M4A of ffmpeg, where each is behind the one before it. */
export function numberSamples(m4a: Uint8Array) {
  const boxes = Buffer.from(m4a.buffer, m4a.byteOffset, m4a.length);
  const sizes = boxes.lastIndexOf("stsz") + 4;
  const count = boxes.readUInt32BE(sizes + 8);
  let at = boxes.indexOf("mdat") + 4;
  for (let number = 0; number < count; number++) {
    writeNumber(m4a, at, number);
    at += boxes.readUInt32BE(sizes + 12 + 4 * number);
  }
}

/** The seconds of the recording that this part of it has. */
export const stretchOf = (bytes: Uint8Array): [start: number, end: number] =>
  bytes[1] === 0xfb ? stretchOfMp3(bytes) : stretchOfAdts(bytes);

function stretchOfMp3(bytes: Uint8Array): [number, number] {
  const frame = frameOf(bytes[2] === layers[320] ? 320 : 32);
  const last = readNumber(bytes, bytes.length - frame + NUMBER_AT);
  return [readNumber(bytes, NUMBER_AT) * MP3_SECONDS, (last + 1) * MP3_SECONDS];
}

/** The first sample of ffmpeg’s encoder is before the beginning. */
function stretchOfAdts(bytes: Uint8Array): [number, number] {
  let last = 0;
  for (let at = 0; at < bytes.length;) {
    last = at;
    at += ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  }
  const timeOf = (at: number) => (readNumber(bytes, at + ADTS_HEADER) - 1) * AAC_SECONDS;
  return [timeOf(0), timeOf(last) + AAC_SECONDS];
}

export type Spoken = { text: string; start: number; end: number; voice: number };

/** What is said in it: words of different lengths, with a pause after each twelfth, where the voice changes. */
export function spokenWords(seconds: number): Spoken[] {
  const words: Spoken[] = [];
  for (let start = 0.4, number = 0; ; number++) {
    const end = start + 0.22 + ((number * 7) % 11) / 50;
    if (end > seconds - 0.2) return words;
    const isLast = number % 12 === 11;
    words.push({ text: `word${number}${isLast ? "." : ""}`, start, end, voice: Math.floor(number / 12) % 2 });
    start = end + (isLast ? 0.7 + (number % 5) / 10 : 0.03 + (number % 4) / 40);
  }
}
