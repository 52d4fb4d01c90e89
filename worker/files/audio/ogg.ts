import { tooManyParts, UnreadableError } from "#worker/files/invalid.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

const PAGE = 27;
/** "OggS" */
const CAPTURE = 0x4f676753;
/** The pages in which a codec and its comments stand; a picture among the comments makes them many. */
const FIRST_PAGES = 16;
const MOST_PAGES = 400;
const MOST_STREAMS = 8;
const MOST_COMMENTS = 1000;
/** The name of the program that wrote the comments. */
const LONGEST_VENDOR = 4096;

type Page = {
  serial: number;
  body: number;
  end: number;
  lengths: Uint8Array;
  isContinued: boolean;
  isOpen: boolean;
};

/**
 * The header pages of an Ogg file, RFC 3533.
 * @throws InvalidFileError if it has too many streams, pages of comments, or comments.
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
  const lengths = (await reader.bytes(at + PAGE, body)).slice();
  const end = body + lengths.reduce((total, length) => total + length, 0);
  if (end > reader.size) return null;
  return {
    serial: header.getUint32(14, true),
    body,
    end,
    lengths,
    isContinued: (header.getUint8(5) & 1) === 1,
    // A packet whose last segment is full continues on the next page.
    isOpen: lengths.at(-1) === 255,
  };
}

/** Comments follow the encoder's name, preceded by their number. */
async function checkComments(reader: Reader, { body, end }: Page) {
  const text = new TextDecoder("latin1").decode(await reader.bytes(body, Math.min(end, body + 8)));
  const start = text === "OpusTags" ? body + 8 : text.startsWith("\x03vorbis") ? body + 7 : null;
  if (start === null) return;
  const vendor = start + 4 <= end ? (await reader.view(start, 4)).getUint32(0, true) : Infinity;
  const count = start + 4 + vendor;
  if (vendor > LONGEST_VENDOR || count + 4 > end) throw new UnreadableError("No Vorbis comment");
  if ((await reader.view(count, 4)).getUint32(0, true) > MOST_COMMENTS) throw tooManyParts();
}

/** Before the native file in the first packet: a name, a version, and the number of packets with metadata. */
const FLAC_MAPPING = 9;
const LAST_BLOCK = 0x80;

/**
 * The metadata of a FLAC in Ogg as a native FLAC, of which a parser reads the tags; null for another file. RFC 9639, 10.1
 * @throws InvalidFileError if it has too many pages of metadata.
 */
export async function readFlacInOgg(reader: Reader) {
  const first = await readPage(reader, 0);
  if (!first || first.end - first.body < FLAC_MAPPING) return null;
  const name = new TextDecoder("latin1").decode(await reader.bytes(first.body, first.body + 5));
  if (name !== "\x7FFLAC") return null;
  const pieces = new Pieces();
  pieces.keep(first.body + FLAC_MAPPING, first.end);
  const isLastBlock = async (at: number) => ((await reader.view(at, 1)).getUint8(0) & LAST_BLOCK) > 0;
  let at = first.end;
  // “fLaC” is before the first block.
  let isLast = await isLastBlock(first.body + FLAC_MAPPING + 4);
  let isOpen = false;
  for (let count = 0; !isLast || isOpen; count++) {
    const page = await readPage(reader, at);
    if (!page) return null;
    if (count > MOST_PAGES) throw tooManyParts();
    at = page.end;
    if (page.serial !== first.serial) continue;
    for (
      let [start, segment] = [page.body, 0];
      segment < page.lengths.length && (!isLast || isOpen);
      segment++
    ) {
      if (!isOpen) isLast = await isLastBlock(start);
      const length = page.lengths[segment]!;
      pieces.keep(start, start + length);
      start += length;
      isOpen = length === 255;
    }
  }
  return pieces;
}
