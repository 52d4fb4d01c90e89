import { findFrame, framesIn, readMp3Frame } from "#worker/files/audio/frames.ts";
import { bytesOf, walk, type Sliced } from "#worker/files/audio/walk.ts";

/** The audio of an MP3 without its tags. Files are read in stretches, so that memory does not grow with them. */

/** A reason for the owner why no copy was made. */
export class Refusal extends Error {}

export const NO_MP3 = "This file has no MP3 audio in it. Export it as an MP3 and upload that.";
const DAMAGED = "This MP3’s own tag says that it is longer than the file. Export it again and upload that.";

const SYNC_WITHIN = 64 * 1024;
const MOST_TAGS = 16;
const HAS_FOOTER = 0x10;
const APE_FOOTER = 32;
const APE_HAS_HEADER = 0x8000_0000;

type Range = { start: number; end: number };

/**
 * From the first frame, which may be the encoder's (Xing, Info, VBRI), to the tags at the end.
 * @throws Refusal
 */
export async function audioOf(file: Sliced): Promise<Range> {
  const start = await startOf(file);
  return { start, end: await endOf(file, start) };
}

/**
 * Bytes before the first frame.
 * @throws Refusal
 */
export async function startOf(file: Sliced) {
  const tags = await skipTags(file);
  const bytes = await bytesOf(file, tags, tags + SYNC_WITHIN);
  const frame = findFrame(readMp3Frame, bytes, 0);
  if (frame === null) throw new Refusal(NO_MP3);
  return tags + frame;
}

/** ID3v2 and APE tags at the start. */
async function skipTags(file: Sliced) {
  let at = 0;
  for (let count = 0; count < MOST_TAGS; count++) {
    const head = await bytesOf(file, at, at + APE_FOOTER);
    const length = latin1(head, 0, 3) === "ID3" ? id3Length(head) : apeLength(head);
    if (length === 0) break;
    at += length;
    if (at > file.size) throw new Refusal(DAMAGED);
  }
  return at;
}

function id3Length(head: Uint8Array) {
  if (head.length < 10) throw new Refusal(DAMAGED);
  const footer = head[5]! & HAS_FOOTER ? 10 : 0;
  return 10 + sevenBits(head, 6) + footer;
}

/** Of an APE tag that begins here, or 0. */
const apeLength = (head: Uint8Array) =>
  latin1(head, 0, 8) === "APETAGEX" && head.length === APE_FOOTER ? APE_FOOTER + littleEndian(head, 12) : 0;

/** Without ID3v1 and its extension, APE, Lyrics3 and ID3v2.4 at the end, in any order. */
async function endOf(file: Sliced, start: number) {
  let end = file.size;
  for (let count = 0; count < MOST_TAGS; count++) {
    const length = await tagBefore(file, end);
    if (length === 0 || end - length <= start) break;
    end -= length;
  }
  return end;
}

async function tagBefore(file: Sliced, end: number) {
  const tail = await bytesOf(file, Math.max(0, end - 227), end);
  const text = latin1(tail, 0, tail.length);
  if (text.slice(-128).startsWith("TAG")) return text.startsWith("TAG+") ? 227 + 128 : 128;
  if (text.startsWith("TAG+")) return 227;
  if (text.slice(-APE_FOOTER).startsWith("APETAGEX")) {
    const footer = tail.subarray(-APE_FOOTER);
    const header = littleEndian(footer, 20) & APE_HAS_HEADER ? APE_FOOTER : 0;
    return littleEndian(footer, 12) + header;
  }
  if (text.slice(-10).startsWith("3DI")) return 20 + sevenBits(tail, tail.length - 4);
  const lyrics = /(\d{6})LYRICS200$/.exec(text);
  return lyrics ? Number(lyrics[1]) + 15 : 0;
}

const latin1 = (bytes: Uint8Array, from: number, to: number) =>
  new TextDecoder("latin1").decode(bytes.subarray(from, to));

const sevenBits = (bytes: Uint8Array, at: number) =>
  bytes.subarray(at, at + 4).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0);

const littleEndian = (bytes: Uint8Array, at: number) =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/**
 * Passes each stretch of the audio to `visit`, with the places of the frames in it. Stretches follow each other without
 * gaps; bytes between frames belong to them.
 */
export async function eachStretch(
  file: Blob,
  { start, end }: Range,
  visit: (bytes: Uint8Array<ArrayBuffer>, frames: number[]) => void,
) {
  await walk(file.slice(start, end), 0, (bytes, { isLast }) => {
    const places: number[] = [];
    const frames = framesIn(readMp3Frame, bytes, isLast);
    for (let next = frames.next(); ; next = frames.next()) {
      if (next.done) {
        const taken = isLast ? bytes.length : next.value;
        visit(bytes.subarray(0, taken) as Uint8Array<ArrayBuffer>, places);
        return taken;
      }
      places.push(next.value.at);
    }
  });
}
