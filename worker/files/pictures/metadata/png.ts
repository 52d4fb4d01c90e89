import { cutOff } from "#worker/files/invalid.ts";
import { EXIF_BEGINNING, exifOf, orientationOf } from "#worker/files/pictures/metadata/exif.ts";
import type { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

const codeOf = (type: string) => [...type].reduce((code, char) => code * 256 + char.charCodeAt(0), 0);

const EXIF = codeOf("eXIf");
const END = codeOf("IEND");

/** Chunks needed for decoding, colours, density and animation. PNG 3, 11 */
const COPIED_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT"
    .split(" ")
    .map(codeOf),
);

/** PNG: removes texts, times, unknown chunks, and everything after the end; Exif is reduced to its orientation. */
export async function cleanPng(reader: Reader, pieces: Pieces) {
  pieces.keep(0, 8);
  for (let at = 8; ;) {
    reader.step();
    const header = await reader.view(at, 8);
    const length = header.getUint32(0);
    const type = header.getUint32(4);
    const end = at + 12 + length;
    if (end > reader.size) throw cutOff();
    if (type === EXIF) {
      const orientation = orientationOf(await reader.view(at + 8, Math.min(length, EXIF_BEGINNING)));
      if (orientation !== 1) pieces.add(chunk("eXIf", exifOf(orientation)));
    } else if (COPIED_CHUNKS.has(type)) {
      pieces.keep(at, end);
    }
    if (type === END) return;
    at = end;
  }
}

function chunk(type: string, data: Uint8Array) {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  view.setUint32(4, codeOf(type));
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** ISO 3309, over a chunk's type and data. */
function crc32(bytes: Uint8Array) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
