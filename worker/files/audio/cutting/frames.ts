import { readMp3Head } from "#worker/files/audio/mp3-head.ts";
import { framesIn, isMpeg1, isMono, readAacFrame, readMp3Frame } from "#worker/files/audio/frames.ts";
import { findAacStart, findMp3Start } from "#worker/files/audio/mpeg.ts";
import { Collector, type Limits, type Piece, type Position } from "#worker/files/audio/cutting/piece.ts";
import { bytesOf, walk } from "#worker/files/audio/walk.ts";

/** Pieces of MP3 and of AAC in ADTS: whole frames, which need no header. */

export async function cutMp3(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const start = from ?? (await firstMp3(file));
  if (!start) return null;
  const piece = await cutFrames(readMp3Frame, file, start, limits);
  if (!piece) return null;
  if (from) silenceUndecodable(piece.bytes);
  return { ...piece, type: "audio/mpeg", extension: "mp3" };
}

export async function cutAac(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const at = from ? from.at : await findAacStart(file);
  if (at === null) return null;
  const piece = await cutFrames(readAacFrame, file, { at, seconds: from?.seconds ?? 0 }, limits);
  return piece && { ...piece, type: "audio/aac", extension: "aac" };
}

/** Behind the tag's frame, which is not sound. Players skip the silence that the encoder put before the sound. */
async function firstMp3(file: Blob): Promise<Position | null> {
  const start = await findMp3Start(file);
  if (start === null) return null;
  const { bytes, silence } = await readMp3Head(file, start);
  return { at: start + bytes, seconds: -silence };
}

async function cutFrames(
  readFrame: typeof readMp3Frame | typeof readAacFrame,
  file: Blob,
  { at: start, seconds: first }: Position,
  limits: Limits,
) {
  const collector = new Collector(limits);
  let seconds = first;
  await walk(file, start, (bytes, { at: offset, isLast }) => {
    const frames = framesIn(readFrame, bytes, isLast);
    for (let next = frames.next(); ; next = frames.next()) {
      if (next.done) return next.value;
      const at = offset + next.value.at;
      const { bytes: length, seconds: lasts } = next.value;
      const unit = { at, bytes: length, start: seconds, stop: seconds + lasts };
      if (!collector.add(unit)) return "stop";
      seconds = unit.stop;
    }
  });
  const { first: begins, last, next } = collector;
  if (!begins || !last) return null;
  return {
    bytes: await bytesOf(file, begins.at, last.at + last.bytes),
    start: begins.start,
    end: last.stop,
    next: next && { at: next.at, seconds: next.start },
  };
}

/**
 * A frame of MP3 may use up to 511 bytes at the end of the frames before it, which the first frames of a piece lack. Some
 * decoders drop such a frame, and all later sound would be early. So these frames become silent: their side information is
 * zero, and their bytes remain for the frames after them. ISO 11172-3, 2.4.1.7
 */
function silenceUndecodable(bytes: Uint8Array) {
  let available = 0;
  for (const { at, bytes: length } of framesIn(readMp3Frame, bytes, true)) {
    const isFirstVersion = isMpeg1(bytes, at);
    const side = isFirstVersion ? (isMono(bytes, at) ? 17 : 32) : isMono(bytes, at) ? 9 : 17;
    const hasChecksum = (bytes[at + 1]! & 1) === 0;
    const begin = at + 4 + (hasChecksum ? 2 : 0);
    if (begin + side > bytes.length) return;
    const needed = isFirstVersion ? (bytes[begin]! << 1) | (bytes[begin + 1]! >> 7) : bytes[begin]!;
    if (needed <= available) return;
    // Without the checksum, which would no longer be right.
    bytes[at + 1]! |= 1;
    bytes.fill(0, at + 4, at + 4 + side);
    available += length - 4 - side;
  }
}
