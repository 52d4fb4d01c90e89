import { readFileSync } from "node:fs";

const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_LOWER = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = { 3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 0: [11_025, 12_000, 8_000] };

/** A real MP3 of at least this many bytes: a recording's frames again and again, without its tags. */
export function longMp3(source: string, bytes: number) {
  const frames = framesOf(readFileSync(source));
  const once = Buffer.concat(frames.map(({ data }) => data));
  const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0);
  const times = Math.ceil(bytes / once.byteLength);
  return { data: Buffer.concat(Array.from({ length: times }, () => once)), seconds: seconds * times };
}

/** Layer III frames of a file, except the first, whose Xing or Info header has the old length. */
function framesOf(file: Buffer) {
  const frames: { data: Buffer; seconds: number }[] = [];
  let at = tagLength(file);
  while (at + 4 <= file.byteLength && file[at] === 0xff && (file[at + 1]! & 0xe0) === 0xe0) {
    const version = ((file[at + 1]! >> 3) & 3) as 0 | 2 | 3;
    const bitrate = (version === 3 ? BITRATES : BITRATES_LOWER)[file[at + 2]! >> 4]!;
    const rate = SAMPLE_RATES[version][(file[at + 2]! >> 2) & 3]!;
    const samples = version === 3 ? 1152 : 576;
    const length = Math.floor(((samples / 8) * bitrate * 1000) / rate) + ((file[at + 2]! >> 1) & 1);
    frames.push({ data: file.subarray(at, at + length), seconds: samples / rate });
    at += length;
  }
  return frames.slice(1);
}

/** Bytes of a leading ID3v2 tag, whose length is written in four times seven bits. */
function tagLength(file: Buffer) {
  if (file.toString("latin1", 0, 3) !== "ID3") return 0;
  return 10 + file.subarray(6, 10).reduce((sum, byte) => (sum << 7) | byte, 0);
}
