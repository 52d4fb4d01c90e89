import { cutOff, UnreadableError } from "#worker/files/invalid.ts";
import { EXIF_BEGINNING, exifOf, orientationOf } from "#worker/files/pictures/metadata/exif.ts";
import { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

const COPIED_CHUNKS = ["VP8 ", "VP8L", "ICCP", "ANIM", "ALPH"];
/** Bits of VP8X that state which chunks exist. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
/** An animation frame's position and duration, before its own chunks. */
const FRAME_HEADER = 16;

type Chunk = { type: string; start: number; end: number };
/** WebP, RFC 9649: removes XMP, unknown chunks, and everything after the end; Exif is reduced to its orientation. */
export async function cleanWebp(reader: Reader, pieces: Pieces) {
  const end = 8 + (await reader.view(0, 12)).getUint32(4, true);
  if (end > reader.size) throw cutOff();
  const chunks = await readChunks(reader, 12, end);
  const exif = chunks.find(({ type }) => type === "EXIF");
  const orientation = exif ? await readOrientation(reader, exif) : 1;
  const body = new Pieces();
  for (const chunk of chunks) {
    if (chunk.type === "VP8X") await addFlags(reader, body, chunk, orientation !== 1);
    else if (chunk.type === "ANMF") await addFrame(reader, body, chunk);
    else if (chunk === exif && orientation !== 1) addOrientation(body, orientation);
    else if (COPIED_CHUNKS.includes(chunk.type)) body.keep(chunk.start, chunk.end);
  }
  pieces.add(concat("RIFF", uint32(4 + body.size), "WEBP"));
  pieces.append(body);
}

/** Each chunk from its header to the end of its padding. */
async function readChunks(reader: Reader, from: number, to: number) {
  const chunks: Chunk[] = [];
  for (let start = from; start + 8 <= to;) {
    reader.step();
    const header = await reader.view(start, 8);
    const type = String.fromCharCode(...new Uint8Array(header.buffer, header.byteOffset, 4));
    const size = header.getUint32(4, true);
    const end = start + 8 + size;
    if (end > to) throw cutOff();
    // Some encoders omit the last chunk's padding.
    chunks.push({ type, start, end: Math.min(end + (size % 2), to) });
    start = end + (size % 2);
  }
  return chunks;
}

async function readOrientation(reader: Reader, { start, end }: Chunk) {
  const length = Math.min(end - start - 8, EXIF_BEGINNING);
  const exif = await reader.view(start + 8, length);
  // Some encoders write it as in a JPEG, with a name before it.
  const isNamed = length >= 6 && exif.getUint32(0) === 0x45786966;
  return orientationOf(isNamed ? new DataView(exif.buffer, exif.byteOffset + 6, length - 6) : exif);
}

async function addFlags(reader: Reader, pieces: Pieces, { start, end }: Chunk, hasExif: boolean) {
  if (end - start < 18) throw new UnreadableError("A short VP8X");
  const chunk = (await reader.bytes(start, start + 18)).slice();
  chunk.set([10, 0, 0, 0], 4);
  chunk[8] = (chunk[8]! & ~(HAS_EXIF | HAS_XMP)) | (hasExif ? HAS_EXIF : 0);
  pieces.add(chunk);
}

/** A frame of an animation, which may contain unknown chunks. */
async function addFrame(reader: Reader, pieces: Pieces, { start, end }: Chunk) {
  const body = start + 8 + FRAME_HEADER;
  if (body > end) throw new UnreadableError("A short ANMF");
  const copied = new Pieces();
  for (const chunk of await readChunks(reader, body, end)) {
    if (COPIED_CHUNKS.includes(chunk.type)) copied.keep(chunk.start, chunk.end);
  }
  pieces.add(concat("ANMF", uint32(FRAME_HEADER + copied.size)));
  pieces.keep(start + 8, body);
  pieces.append(copied);
}

function addOrientation(pieces: Pieces, orientation: number) {
  const exif = exifOf(orientation);
  pieces.add(concat("EXIF", uint32(exif.length), exif));
}

function uint32(value: number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

const concat = (...parts: (string | Uint8Array)[]) =>
  new Uint8Array(
    parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]),
  );
