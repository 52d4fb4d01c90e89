import { framesOf, LONGEST_HEADER, readStream, STREAMINFO_AT } from "#worker/files/audio/flac-length.ts";
import {
  Collector,
  joinBytes,
  type Limits,
  type Piece,
  type Position,
} from "#worker/files/audio/cutting/piece.ts";
import { bytesOf, walk } from "#worker/files/audio/walk.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Pieces of FLAC: the block that describes the stream, and whole frames, each of which states its first sample. RFC 9639 */

const STREAMINFO = 34;
const LONGEST_FRAME = 256 * 1024;
/** A flag in the header of a block. */
const LAST_BLOCK = 0x80;
/** In the block: the count of samples, whose first four bits follow other fields, and the checksum of all sound. */
const COUNT_AT = 13;

export async function cutFlac(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const stream = await readStream(new Reader(file));
  if (!stream) return null;
  const collector = new Collector(limits);
  /** It ends where the next one begins. */
  let open: { at: number; start: number } | null = null;
  let expected = from ? Math.round(from.seconds * stream.rate) : 0;
  await walk(file, from?.at ?? stream.start + STREAMINFO, (bytes, { at: offset, isLast }) => {
    for (const { at, first, samples } of framesOf(bytes, stream)) {
      const place = offset + at;
      // What looks like a header within a frame is chance: its number is not the next one. It may be if one is damaged.
      const isNext =
        first === expected || (first > expected && place - (open?.at ?? from?.at ?? 0) > LONGEST_FRAME);
      if (!isNext) continue;
      const start = first / stream.rate;
      if (open && !collector.add({ ...open, bytes: place - open.at, stop: start })) return "stop";
      open = { at: place, start };
      expected = first + samples;
    }
    if (!isLast) return bytes.length - LONGEST_HEADER;
    if (open) collector.add({ ...open, bytes: file.size - open.at, stop: expected / stream.rate });
    return bytes.length;
  });
  const { first, last, next } = collector;
  if (!first || !last) return null;
  return {
    bytes: joinBytes(await headOf(file, stream.start), await bytesOf(file, first.at, last.at + last.bytes)),
    type: "audio/flac",
    extension: "flac",
    start: first.start,
    end: last.stop,
    next: next && { at: next.at, seconds: next.start },
  };
}

/** The marker and the block, without the count and the checksum, which are of the whole recording. */
async function headOf(file: Blob, start: number) {
  const head = await bytesOf(file, start - STREAMINFO_AT, start + STREAMINFO);
  head[STREAMINFO_AT - 4]! |= LAST_BLOCK;
  head[STREAMINFO_AT + COUNT_AT]! &= 0xf0;
  head.fill(0, STREAMINFO_AT + COUNT_AT + 1);
  return head;
}
