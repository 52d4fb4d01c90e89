import { isMono, isMpeg1 } from "#worker/files/audio/frames.ts";
import { audioOf, eachStretch } from "./mp3-audio.ts";

/**
 * The volume of an MP3 without decoding it, as mp3gain changes it: each granule of each channel has a field of 8 bits,
 * global_gain, whose unit is a factor of the fourth root of two (ISO 11172-3, 2.4.3.4.7). The same number of steps back gives
 * the same bytes.
 */

/** dB of one step. */
export const STEP = 20 * Math.log10(2 ** (1 / 4));

const HIGHEST = 255;
/**
 * A field below it is unchanged: the highest sample that it can have is 2^((60 − 210) / 4) × 8206^(4/3), −121 dBFS. Encoders
 * write zero for silence, which would leave no room to lower anything.
 */
const LOWEST = 60;
const HEADER = 4;
const CHECKSUM = 2;

/** How many steps the fields of a file have room for. */
export type Room = { down: number; up: number };

/** @throws Refusal if it is no MP3 */
export async function readRoom(file: Blob): Promise<Room> {
  let [lowest, highest] = [HIGHEST, 0];
  await eachStretch(file, await audioOf(file), (bytes, frames) => {
    for (const frame of frames)
      for (const bit of gainsOf(bytes, frame)) {
        const gain = readBits(bytes, bit, 8);
        lowest = Math.min(lowest, gain);
        highest = Math.max(highest, gain);
      }
  });
  return lowest > highest ? { down: 0, up: 0 } : { down: lowest - LOWEST, up: HIGHEST - highest };
}

/**
 * A copy whose audio is so many steps louder; its tags and the encoder's frame are unchanged. Checksums of frames are
 * corrected, if they were right.
 * @throws RangeError if that leaves the room; Refusal if it is no MP3
 */
export async function changeGain(file: Blob, steps: number): Promise<Blob> {
  const audio = await audioOf(file);
  const parts: Blob[] = [file.slice(0, audio.start)];
  await eachStretch(file, audio, (bytes, frames) => {
    for (const frame of frames) changeFrame(bytes, frame, steps);
    // As a blob, which a browser may move to the disk.
    parts.push(new Blob([bytes]));
  });
  parts.push(file.slice(audio.end));
  return new Blob(parts, { type: "audio/mpeg" });
}

function changeFrame(bytes: Uint8Array, frame: number, steps: number) {
  const isChecked = hasChecksum(bytes, frame) && readChecksum(bytes, frame) === checksumOf(bytes, frame);
  for (const bit of gainsOf(bytes, frame)) {
    const gain = readBits(bytes, bit, 8) + steps;
    if (gain < LOWEST || gain > HIGHEST) throw new RangeError(`global_gain would be ${gain}`);
    writeByte(bytes, bit, gain);
  }
  if (!isChecked) return;
  const checksum = checksumOf(bytes, frame);
  bytes[frame + HEADER] = checksum >> 8;
  bytes[frame + HEADER + 1] = checksum & 0xff;
}

/** Without a protection bit, a checksum follows the header. */
const hasChecksum = (bytes: Uint8Array, frame: number) => (bytes[frame + 1]! & 1) === 0;

const sideStart = (bytes: Uint8Array, frame: number) =>
  frame + HEADER + (hasChecksum(bytes, frame) ? CHECKSUM : 0);

function sideLength(bytes: Uint8Array, frame: number) {
  if (isMpeg1(bytes, frame)) return isMono(bytes, frame) ? 17 : 32;
  return isMono(bytes, frame) ? 9 : 17;
}

/**
 * The bits at which the fields of a frame begin. Not of granules without data: they are silent, as is the encoder's frame. ISO
 * 11172-3, 2.4.1.7; ISO 13818-3, 2.4.1.7
 */
function* gainsOf(bytes: Uint8Array, frame: number) {
  const isFirst = isMpeg1(bytes, frame);
  const channels = isMono(bytes, frame) ? 1 : 2;
  const start = sideStart(bytes, frame);
  if (start + sideLength(bytes, frame) > bytes.length) return;
  // main_data_begin, private bits, and in MPEG 1 the sharing of scale factors.
  const head = isFirst ? (channels === 1 ? 9 + 5 + 4 : 9 + 3 + 8) : 8 + channels;
  const length = isFirst ? 59 : 63;
  for (let granule = 0; granule < (isFirst ? 2 : 1) * channels; granule++) {
    const at = start * 8 + head + granule * length;
    // part2_3_length, 12 bits, and big_values, 9 bits, come first.
    const gain = at + 12 + 9;
    if (readBits(bytes, at, 12) > 0 && readBits(bytes, gain, 8) >= LOWEST) yield gain;
  }
}

function readBits(bytes: Uint8Array, bit: number, count: number) {
  let value = 0;
  for (let at = bit; at < bit + count; at++) value = (value << 1) | ((bytes[at >> 3]! >> (7 - (at & 7))) & 1);
  return value;
}

function writeByte(bytes: Uint8Array, bit: number, value: number) {
  const [at, shift] = [bit >> 3, bit & 7];
  const both = (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
  const mask = 0xff << (8 - shift);
  const changed = (both & ~mask) | (value << (8 - shift));
  bytes[at] = changed >> 8;
  if (shift > 0) bytes[at + 1] = changed & 0xff;
}

const readChecksum = (bytes: Uint8Array, frame: number) =>
  (bytes[frame + HEADER]! << 8) | bytes[frame + HEADER + 1]!;

/** CRC-16 of the header's second half and the side information. ISO 11172-3, 2.4.3.1 */
function checksumOf(bytes: Uint8Array, frame: number) {
  const start = sideStart(bytes, frame);
  let crc = 0xffff;
  const add = (byte: number) => {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x8005) & 0xffff : (crc << 1) & 0xffff;
  };
  add(bytes[frame + 2]!);
  add(bytes[frame + 3]!);
  for (let at = start; at < start + sideLength(bytes, frame); at++) add(bytes[at] ?? 0);
  return crc;
}
