import {
  findFrame,
  framesIn,
  readAacFrame,
  readMp1Frame,
  readMp2Frame,
  readMp3Frame,
  type Frame,
  type ReadFrame,
} from "#worker/files/audio/frames.ts";
import { skipId3 } from "#worker/files/audio/id3.ts";
import { bytesOf, walk } from "#worker/files/audio/walk.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Where the frames of MPEG audio and of AAC begin in a file, and how long they last. */

/** Bytes behind the tags. */
const SYNC_WITHIN = 64 * 1024;

/** Bytes before the first frame of an MP3; null without any frame. */
export const findMp3Start = (file: Blob) => findStart(readMp3Frame, file);
export const findAacStart = (file: Blob) => findStart(readAacFrame, file);

/**
 * The layer of a file that programs call MP3, too, and that hardly anything plays; null if it has no frame of either.
 */
export async function findOldLayer(file: Blob) {
  if ((await findStart(readMp2Frame, file)) !== null) return "MPEG Layer II";
  return (await findStart(readMp1Frame, file)) === null ? null : "MPEG Layer I";
}

async function findStart(readFrame: ReadFrame, file: Blob): Promise<number | null> {
  const tags = await skipId3(new Reader(file));
  const bytes = await bytesOf(file, tags, tags + SYNC_WITHIN);
  const frame = findFrame(readFrame, bytes, 0);
  return frame === null ? null : tags + frame;
}

export const measureMp3 = (file: Blob, start: number) => measure(readMp3Frame, file, start);
export const measureAac = (file: Blob, start: number) => measure(readAacFrame, file, start);

/**
 * Seconds of all frames of a file without a stated duration, and the share of its bytes that are frames. Each frame is
 * counted: with a variable bitrate, no part of a file predicts the rest.
 */
async function measure(readFrame: ReadFrame, file: Blob, start: number) {
  const total: Frame = { bytes: 0, seconds: 0 };
  await walk(file, start, (bytes, { isLast }) => count(readFrame, bytes, total, isLast));
  return { seconds: total.seconds, share: total.bytes / (file.size - start) };
}

/**
 * Adds the frames in a stretch, and returns where the next one may begin. Decoders play the last one also where its end is
 * missing.
 */
function count(readFrame: ReadFrame, bytes: Uint8Array, total: Frame, isLast: boolean) {
  const frames = framesIn(readFrame, bytes, isLast);
  for (let next = frames.next(); ; next = frames.next()) {
    if (next.done) return next.value;
    total.bytes += next.value.bytes;
    total.seconds += next.value.seconds;
  }
}
