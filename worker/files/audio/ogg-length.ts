import { whole, type Length } from "#worker/files/audio/length.ts";
import { walk } from "#worker/files/audio/walk.ts";
import { cutOff } from "#worker/files/invalid.ts";

/** The duration of an Ogg file. Each page states the number of its stream's samples up to its end. RFC 3533, 6 */

const PAGE = 27;
/** "OggS" */
const CAPTURE = [0x4f, 0x67, 0x67, 0x53];
export const FIRST_OF_STREAM = 2;
const LAST_OF_STREAM = 4;
const OPUS = "OpusHead";
export const VORBIS = "\x01vorbis";
/** Opus always counts in 48 kHz, whatever the input's rate was. RFC 7845, 4 */
const OPUS_RATE = 48_000;
/**
 * A stream whose count begins this many pages late was recorded from a live broadcast. The block sizes of Vorbis differ
 * by a factor of 8 at most.
 */
const PAGES_BEFORE = 10;

export type Page = {
  flags: number;
  samples: number;
  serial: number;
  packets: number;
  body: Uint8Array;
  end: number;
};
/** `preSkip`: samples that a decoder drops at the start. */
export type Head = { codec: string; rate: number; preSkip: number };

/** Reads all pages: chained streams may have any length, and some programs give them the same serial number. */
export async function readOggLength(file: Blob): Promise<Length> {
  const streams = new Streams();
  await walk(file, 0, (bytes) => {
    let at = findPage(bytes, 0);
    for (let page = readPage(bytes, at); page; page = readPage(bytes, at)) {
      streams.add(page);
      at = findPage(bytes, page.end);
    }
    return at;
  });
  return streams.length();
}

/** Adds up chained streams. Of multiplexed ones, the first with sound counts. */
class Streams {
  #current: Stream | null = null;
  #isAmongHeads = false;
  /** Of the first stream. */
  #codec: string | null = null;
  /** Decoders stop where the codec changes. */
  #isOver = false;
  /** Seconds of the first stream, and of those after it. */
  #first = 0;
  #rest = 0;

  add(page: Page) {
    const isHead = (page.flags & FIRST_OF_STREAM) !== 0;
    if (isHead && !this.#isAmongHeads) this.#end();
    this.#isAmongHeads = isHead;
    if (!isHead) return this.#current?.add(page);
    const head = this.#current ? null : readHead(page.body);
    if (!head) return;
    this.#codec ??= head.codec;
    this.#isOver ||= head.codec !== this.#codec;
    if (!this.#isOver) this.#current = new Stream(page.serial, head);
  }

  #end() {
    const seconds = this.#current?.seconds ?? 0;
    if (this.#first === 0) this.#first = seconds;
    else this.#rest += seconds;
    this.#current = null;
  }

  length(): Length {
    const isCut = this.#current?.isWhole === false;
    this.#end();
    const [first, rest] = [this.#first, this.#rest];
    if (isCut && first === 0) throw cutOff();
    if (this.#isOver && rest === 0) return { ...whole(first || null), flaw: "joined" };
    if (rest > 0) return { seconds: first + rest, flaw: "joined", statedSeconds: first };
    return { ...whole(first || null), flaw: isCut ? "cut_off" : null };
  }
}

class Stream {
  readonly #serial: number;
  readonly #head: Head;
  /** Its first page of sound, and the samples before it. */
  #first: Pick<Page, "samples" | "packets"> | null = null;
  #start: number | null = null;
  #samples = 0;
  isWhole = false;

  constructor(serial: number, head: Head) {
    this.#serial = serial;
    this.#head = head;
  }

  add({ serial, flags, samples, packets }: Page) {
    if (serial !== this.#serial) return;
    const isLast = (flags & LAST_OF_STREAM) !== 0;
    if (isLast) this.isWhole = true;
    // Header pages have none, and pages on which no packet ends have -1.
    if (samples <= 0 || packets === 0) return;
    if (!this.#first) this.#first = { samples, packets };
    // The last page may end before its last sample.
    else if (!isLast) this.#start ??= startOf(this.#first, { samples, packets });
    this.#samples = samples;
  }

  get seconds() {
    return Math.max(0, this.#samples - (this.#start ?? 0) - this.#head.preSkip) / this.#head.rate;
  }
}

/** Samples before the first page; its packets are assumed to be as long as those of the second. */
export function startOf(first: Pick<Page, "samples" | "packets">, second: Pick<Page, "samples" | "packets">) {
  const samples = (first.packets * (second.samples - first.samples)) / second.packets;
  return samples > 0 && first.samples > PAGES_BEFORE * samples ? first.samples - samples : 0;
}

/** A stream's codec and rate by its first packet's magic bytes. Other streams are not sound. */
const HEADS: { codec: string; least: number; rate: (view: DataView) => number }[] = [
  { codec: OPUS, least: 12, rate: () => OPUS_RATE },
  { codec: VORBIS, least: 16, rate: (view) => view.getUint32(12, true) },
  { codec: "Speex   ", least: 40, rate: (view) => view.getUint32(36, true) },
  // FLAC's STREAMINFO block follows the signature and some counts.
  { codec: "\x7fFLAC", least: 30, rate: (view) => view.getUint32(27) >>> 12 },
];

export function readHead(body: Uint8Array): Head | null {
  const text = new TextDecoder("latin1").decode(body.subarray(0, 8));
  const found = HEADS.find(({ codec, least }) => text.startsWith(codec) && body.length >= least);
  if (!found) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const rate = found.rate(view);
  const preSkip = found.codec === OPUS ? view.getUint16(10, true) : 0;
  return rate === 0 ? null : { codec: found.codec, rate, preSkip };
}

/** Where a page begins, or may begin at the end. */
export function findPage(bytes: Uint8Array, from: number) {
  for (let at = bytes.indexOf(CAPTURE[0]!, from); at !== -1; at = bytes.indexOf(CAPTURE[0]!, at + 1))
    if (CAPTURE.every((byte, index) => (bytes[at + index] ?? byte) === byte)) return at;
  return bytes.length;
}

/** Null if it does not end in these bytes. */
export function readPage(bytes: Uint8Array, at: number): Page | null {
  if (at + PAGE > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const start = at + PAGE + view.getUint8(26);
  let [end, packets] = [start, 0];
  for (const length of bytes.subarray(at + PAGE, start)) {
    end += length;
    if (length < 255) packets++;
  }
  if (start > bytes.length || end > bytes.length) return null;
  return {
    flags: view.getUint8(5),
    samples: Number(view.getBigInt64(6, true)),
    serial: view.getUint32(14, true),
    packets,
    body: bytes.subarray(start, end),
    end,
  };
}
