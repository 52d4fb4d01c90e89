import { cutOff, UnreadableError } from "#worker/files/invalid.ts";
import { exifOf, orientationOf } from "#worker/files/pictures/metadata/exif.ts";
import type { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;

/** A marker and the two bytes of its segment's length. */
const HEADER = 4;

/**
 * JPEG, ITU T.81: keeps what the picture is decoded from, the colour profile, and the orientation of its Exif. What
 * follows the end of the picture (others of a series, a film, a camera's own notes) is left out.
 */
export async function cleanJpeg(reader: Reader, pieces: Pieces) {
  pieces.keep(0, 2);
  let hasExif = false;
  for (let at = 2; ;) {
    reader.step();
    const { marker, end } = await readMarker(reader, at);
    if (marker === EOI) return pieces.keep(at, end);
    if (marker === APP1 && (await startsWith(reader, at, end, "Exif\0\0"))) {
      if (!hasExif) await reduceExif(reader, pieces, at, end);
      hasExif = true;
    } else if (marker === APP0) {
      if (await startsWith(reader, at, end, "JFIF\0")) await keepJfif(reader, pieces, at);
    } else if (marker === APP14) {
      if (await startsWith(reader, at, end, "Adobe")) pieces.keep(at, end);
    } else if (marker === APP2) {
      if (await startsWith(reader, at, end, "ICC_PROFILE\0")) pieces.keep(at, end);
    } else if (isCoding(marker)) {
      pieces.keep(at, end);
    }
    at = end;
    if (marker !== SOS) continue;
    at = await findMarker(reader, end);
    pieces.keep(end, at);
  }
}

/** Frames, tables, scans and the intervals between restarts; not the decoder's own RSTn, SOI and EOI. */
const isCoding = (marker: number) => (marker >= 0xc0 && marker <= 0xcf) || (marker >= SOS && marker <= 0xdf);

/** The marker here and where its segment ends. */
async function readMarker(reader: Reader, at: number) {
  const [sync, marker = 0] = await reader.bytes(at, at + 2);
  if (sync !== 0xff || marker === SOI || marker === 0) throw new UnreadableError("No JPEG marker");
  // A second FF may stand before a marker; then this one is nothing but filling.
  if (marker === 0xff) return { marker, end: at + 1 };
  if (marker === EOI || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) return { marker, end: at + 2 };
  const length = (await reader.view(at, HEADER)).getUint16(2);
  if (length < 2) throw new UnreadableError("A JPEG segment without its length");
  const end = at + 2 + length;
  if (end > reader.size) throw cutOff();
  return { marker, end };
}

async function startsWith(reader: Reader, at: number, end: number, name: string) {
  if (end - at - HEADER < name.length) return false;
  const bytes = await reader.bytes(at + HEADER, at + HEADER + name.length);
  return bytes.every((byte, index) => byte === name.charCodeAt(index));
}

/** Keeps the density, without the thumbnail that may follow. */
async function keepJfif(reader: Reader, pieces: Pieces, at: number) {
  const { byteLength, buffer, byteOffset } = await reader.view(at, 18);
  const segment = new Uint8Array(buffer, byteOffset, byteLength).slice();
  // The segment's length, and the thumbnail's width and height.
  segment.set([0, 16], 2);
  segment.set([0, 0], 16);
  pieces.add(segment);
}

async function reduceExif(reader: Reader, pieces: Pieces, at: number, end: number) {
  const start = at + HEADER + 6;
  const orientation = orientationOf(await reader.view(start, end - start));
  if (orientation === 1) return;
  const exif = exifOf(orientation);
  pieces.add(new Uint8Array([0xff, APP1, 0, 2 + 6 + exif.length, 0x45, 0x78, 0x69, 0x66, 0, 0, ...exif]));
}

/** The end of a scan: the next marker that is neither an escaped FF nor a restart. */
async function findMarker(reader: Reader, from: number) {
  for (let start = from; ;) {
    const bytes = await reader.ahead(start, 2);
    const last = bytes.length - 1;
    for (let at = 0; at < last; at++) {
      if (bytes[at] !== 0xff) continue;
      const next = bytes[at + 1]!;
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return start + at;
    }
    start += last;
  }
}
