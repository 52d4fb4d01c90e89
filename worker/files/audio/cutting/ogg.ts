import {
  findPage,
  FIRST_OF_STREAM,
  readHead,
  readPage,
  startOf,
  VORBIS,
  type Head,
  type Page,
} from "#worker/files/audio/ogg-length.ts";
import {
  Collector,
  joinBytes,
  type Limits,
  type Piece,
  type Position,
} from "#worker/files/audio/cutting/piece.ts";
import { bytesOf, walk } from "#worker/files/audio/walk.ts";

/** Pieces of Ogg: the stream's headers, and whole pages behind them. RFC 3533, 6 */

/** With longer ones, such as a large cover, each piece would be too long. */
const LONGEST_HEAD = 1024 * 1024;
const CONTINUED = 1;
/** The size of the longer block, as a power of two, in the first header of Vorbis. */
const VORBIS_BLOCKS_AT = 28;

type Stream = Head & {
  serial: number;
  head: [start: number, end: number];
  /** Samples of the first packet of a piece, of which no decoder makes sound. */
  unheard: number;
};
type Sound = Pick<Page, "flags" | "samples" | "packets" | "end"> & { at: number };

/** Null without sound, or if the headers are too long. A piece ends where another stream begins. */
export async function cutOgg(file: Blob, from: Position | null, limits: Limits): Promise<Piece | null> {
  const { at, seconds, stream: known } = from ?? { at: 0, seconds: 0 };
  const found = await readPages(file, at, known?.head ?? null, limits);
  if (!found) return null;
  const { stream, pages, joinedAt } = found;
  const { rate, preSkip, unheard, head } = stream;
  let samples = known?.samples ?? firstSample(pages);
  // Players drop the first ones, and begin to count behind them.
  const origin = known ? samples : samples + preSkip;
  const secondsAt = (count: number) => seconds + (count - origin) / rate;
  /** By the page's position. */
  const samplesBefore = new Map<number, number>();
  const collector = new Collector(limits);
  for (const page of pages) {
    const after = page.packets > 0 && page.samples > 0 ? page.samples : samples;
    samplesBefore.set(page.at, samples);
    const isAdded = collector.add({
      at: page.at,
      bytes: page.end - page.at,
      start: secondsAt(samples),
      stop: secondsAt(after),
      canBegin: (page.flags & CONTINUED) === 0 && page.packets > 0,
    });
    if (!isAdded) break;
    samples = after;
  }
  const { first, last, next } = collector;
  if (!first || !last) return null;
  const following = next && {
    at: next.at,
    seconds: next.start,
    stream: { head, samples: samplesBefore.get(next.at)! },
  };
  const joined = joinedAt === null ? null : { at: joinedAt, seconds: last.stop };
  return {
    bytes: joinBytes(await bytesOf(file, ...head), await bytesOf(file, first.at, last.at + last.bytes)),
    type: "audio/ogg",
    extension: "ogg",
    // A decoder drops the first ones of each piece, too.
    start: first.start + (preSkip + (known ? unheard : 0)) / rate,
    end: last.stop,
    next: following ?? joined,
  };
}

/** The samples before the first page: many, if it was recorded from a live broadcast. */
function firstSample(pages: Sound[]) {
  const [first, second] = pages.filter(({ samples, packets }) => samples > 0 && packets > 0);
  return first && second ? startOf(first, second) : 0;
}

/** The pages of a piece, and some more. `joinedAt`: where another stream follows them. */
async function readPages(file: Blob, from: number, head: [number, number] | null, limits: Limits) {
  let stream = head && (await readKnown(file, head));
  let joinedAt: number | null = null;
  const pages: Sound[] = [];
  await walk(file, from, (bytes, { at: offset }) => {
    let at = findPage(bytes, 0);
    for (let page = readPage(bytes, at); page; page = readPage(bytes, at)) {
      const range: [number, number] = [offset + at, offset + page.end];
      if (page.flags & FIRST_OF_STREAM) {
        if (head || pages.length > 0) {
          joinedAt = offset + at;
          return "stop";
        }
        stream ??= streamOf(page, range);
      } else if (stream && page.serial === stream.serial) {
        if (!head && pages.length === 0 && page.samples <= 0) stream.head[1] = range[1];
        else pages.push(toSound(page, range));
        if (stream.head[1] - stream.head[0] > LONGEST_HEAD) return "stop";
        if (isEnough(pages, stream.rate, limits)) return "stop";
      }
      at = findPage(bytes, page.end);
    }
    return at;
  });
  if (!stream || stream.head[1] - stream.head[0] > LONGEST_HEAD || pages.length === 0) return null;
  return { stream, pages, joinedAt };
}

/** Without its body, which is in memory with a whole stretch of the file. */
const toSound = ({ flags, samples, packets }: Page, [at, end]: [number, number]): Sound => ({
  flags,
  samples,
  packets,
  at,
  end,
});

function isEnough(pages: Sound[], rate: number, { seconds, bytes }: Limits) {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) return false;
  return last.end - first.at > bytes || (last.samples - Math.max(0, first.samples)) / rate > seconds;
}

async function readKnown(file: Blob, head: [number, number]) {
  const bytes = await bytesOf(file, ...head);
  const page = readPage(bytes, 0);
  return page && streamOf(page, head);
}

function streamOf({ serial, body }: Page, [start, end]: [number, number]): Stream | null {
  const head = readHead(body);
  if (!head) return null;
  const unheard = head.codec === VORBIS ? 2 ** ((body[VORBIS_BLOCKS_AT] ?? 0) >> 4) / 2 : 0;
  return { ...head, serial, head: [start, end], unheard };
}
