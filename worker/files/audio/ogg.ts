import { whole, type Length } from "#worker/files/audio/length.ts";
import { cutOff, tooManyParts, UnreadableError } from "#worker/files/invalid.ts";
import { Pieces } from "#worker/files/metadata/pieces.ts";
import type { Reader } from "#worker/files/metadata/reader.ts";

const PAGE = 27;
/** "OggS" */
const CAPTURE = 0x4f676753;
/** Two pages of the longest kind. */
const LAST_PAGES = 2 * 65_536;
/** The pages in which a codec and its comments stand; a picture among the comments makes them many. */
const FIRST_PAGES = 16;
const MOST_PAGES = 400;
const MOST_STREAMS = 8;
const MOST_COMMENTS = 1000;
/** The name of the program that wrote the comments. */
const LONGEST_VENDOR = 4096;
const END_OF_STREAM = 4;
const OPUS_RATE = 48_000;

type Page = { serial: number; body: number; end: number; isContinued: boolean; isOpen: boolean };

/**
 * The pages of an Ogg file, RFC 3533, in which it says what it is.
 * @throws InvalidFileError when it has too many streams, pages of comments, or comments.
 */
export async function readOgg(reader: Reader) {
  const serials = new Set<number>();
  let at = 0;
  let isOpen = false;
  for (let count = 0; at < reader.size && (count < FIRST_PAGES || isOpen); count++) {
    const page = await readPage(reader, at);
    if (!page) break;
    serials.add(page.serial);
    if (count > MOST_PAGES || serials.size > MOST_STREAMS) throw tooManyParts();
    if (!page.isContinued) await checkComments(reader, page);
    isOpen = page.isOpen;
    at = page.end;
  }
  const pieces = new Pieces();
  pieces.keep(0, at);
  return pieces;
}

async function readPage(reader: Reader, at: number): Promise<Page | null> {
  if (at + PAGE > reader.size) return null;
  const header = await reader.view(at, PAGE);
  if (header.getUint32(0) !== CAPTURE) return null;
  const segments = header.getUint8(26);
  const body = at + PAGE + segments;
  if (body > reader.size) return null;
  const lengths = await reader.bytes(at + PAGE, body);
  const end = body + lengths.reduce((total, length) => total + length, 0);
  if (end > reader.size) return null;
  return {
    serial: header.getUint32(14, true),
    body,
    end,
    isContinued: (header.getUint8(5) & 1) === 1,
    // A packet whose last segment is full goes on in the next page.
    isOpen: lengths.at(-1) === 255,
  };
}

/** Comments come behind the name of the program that wrote them, and say how many they are. */
async function checkComments(reader: Reader, { body, end }: Page) {
  const text = new TextDecoder("latin1").decode(await reader.bytes(body, Math.min(end, body + 8)));
  const start = text === "OpusTags" ? body + 8 : text.startsWith("\x03vorbis") ? body + 7 : null;
  if (start === null) return;
  const vendor = start + 4 <= end ? (await reader.view(start, 4)).getUint32(0, true) : Infinity;
  const count = start + 4 + vendor;
  if (vendor > LONGEST_VENDOR || count + 4 > end) throw new UnreadableError("No Vorbis comment");
  if ((await reader.view(count, 4)).getUint32(0, true) > MOST_COMMENTS) throw tooManyParts();
}

/** By the last page of the stream that begins the file. The last page of a whole stream says that it is the last. */
export async function readOggLength(reader: Reader, sampleRate: number | undefined): Promise<Length> {
  const first = await readPage(reader, 0);
  if (!first) return whole(null);
  const isOpus =
    new TextDecoder("latin1").decode(await reader.bytes(first.body, first.body + 8)) === "OpusHead";
  const preSkip = isOpus ? (await reader.view(first.body, 12)).getUint16(10, true) : 0;
  const rate = isOpus ? OPUS_RATE : sampleRate;
  if (!rate) return whole(null);
  const start = Math.max(0, reader.size - LAST_PAGES);
  const last = await reader.view(start, reader.size - start);
  let isCut = true;
  for (let at = last.byteLength - PAGE; at >= 0; at--) {
    if (last.getUint32(at) !== CAPTURE || last.getUint32(at + 14, true) !== first.serial) continue;
    const page = await readPage(reader, start + at);
    if (!page) continue;
    if (last.getUint8(at + 5) & END_OF_STREAM) isCut = false;
    const samples = last.getBigInt64(at + 6, true);
    // -1: no packet ends on this page.
    if (samples < 0n) continue;
    const seconds = Math.max(0, Number(samples) - preSkip) / rate;
    if (isCut && seconds === 0) throw cutOff();
    return { ...whole(seconds), flaw: isCut ? "cut_off" : null };
  }
  return whole(null);
}
