import { crc32 } from "node:zlib";

/**
 * A zip of stored files (APPNOTE.TXT 6.3.10, without compression), whose bytes are known before they are read: from the
 * name, size and CRC-32 of each. So any range of it can be served, and a broken download continues. The times are
 * fixed, so that the same files are the same zip. zip.js writes a zip from its beginning only.
 */

/** A file: its bytes, or what reads a range of them. */
export type StoredEntry = {
  /** ASCII. */
  name: string;
  size: number;
  crc32: number;
  read: (offset: number, length: number) => Promise<ReadableStream<Uint8Array>>;
};

type Segment = { size: number } & (
  | { bytes: Uint8Array }
  | { read: (offset: number, length: number) => Promise<ReadableStream<Uint8Array>> }
);

/** Without zip64: offsets and sizes of 32 bits, and numbers of entries of 16. */
const MOST_BYTES = 0xffff_ffff;
const MOST_ENTRIES = 0xffff;
/** 1 January 1980, the first day that a zip can state. */
const DATE = 0x21;
/** Of the format 2.0, with names in UTF-8. */
const VERSION = 20;
const UTF8 = 0x0800;
const LOCAL = 30;
const CENTRAL = 46;
const END = 22;

export type StoredZip = {
  size: number;
  /** Writes the bytes from `offset`, `length` of them, and closes or aborts. Never rejects. */
  writeTo: (writable: WritableStream<Uint8Array>, offset: number, length: number) => Promise<void>;
};

/** The bytes that a file of this name and size takes in a zip. */
export const sizeInZip = (name: string, size: number) => LOCAL + CENTRAL + 2 * name.length + size;

export function storedZip(entries: readonly StoredEntry[]): StoredZip {
  const segments: Segment[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    directory.push(centralHeader(entry, offset));
    const header = localHeader(entry);
    segments.push({ bytes: header, size: header.length }, { read: entry.read, size: entry.size });
    offset += header.length + entry.size;
  }
  const start = offset;
  for (const bytes of directory) segments.push({ bytes, size: bytes.length });
  offset += directory.reduce((sum, { length }) => sum + length, 0);
  const end = endRecord(entries.length, start, offset - start);
  segments.push({ bytes: end, size: end.length });
  const size = offset + end.length;
  if (size > MOST_BYTES || entries.length > MOST_ENTRIES)
    throw new Error("These files need more than one zip.");
  return { size, writeTo: (writable, from, length) => writeSegments(writable, segments, from, length) };
}

/** A file whose bytes are here. */
export const bytesEntry = (name: string, bytes: Uint8Array): StoredEntry => ({
  name,
  size: bytes.length,
  crc32: crc32(bytes),
  read: async (offset, length) => new Blob([bytes.slice(offset, offset + length)]).stream(),
});

function localHeader({ name, size, crc32: crc }: StoredEntry) {
  const [bytes, view] = record(LOCAL, name);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(4, VERSION, true);
  facts(view, 6, { crc, size, name });
  return bytes;
}

function centralHeader({ name, size, crc32: crc }: StoredEntry, offset: number) {
  const [bytes, view] = record(CENTRAL, name);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, VERSION, true);
  facts(view, 8, { crc, size, name });
  view.setUint32(42, offset, true);
  return bytes;
}

function record(length: number, name: string): [Uint8Array, DataView] {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(length + text.length);
  bytes.set(text, length);
  return [bytes, new DataView(bytes.buffer)];
}

/** What both headers have: flags, method 0, time, date, CRC-32, both sizes, and the length of the name. */
function facts(view: DataView, at: number, { crc, size, name }: { crc: number; size: number; name: string }) {
  view.setUint16(at, UTF8, true);
  view.setUint16(at + 6, DATE, true);
  view.setUint32(at + 8, crc, true);
  view.setUint32(at + 12, size, true);
  view.setUint32(at + 16, size, true);
  view.setUint16(at + 20, new TextEncoder().encode(name).length, true);
}

function endRecord(count: number, offset: number, size: number) {
  const bytes = new Uint8Array(END);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, offset, true);
  return bytes;
}

/** One segment after the other, each read when the one before was. */
async function writeSegments(
  writable: WritableStream<Uint8Array>,
  segments: readonly Segment[],
  from: number,
  length: number,
) {
  try {
    let at = 0;
    const until = from + length;
    for (const segment of segments) {
      const first = Math.max(0, from - at);
      const last = Math.min(segment.size, until - at);
      at += segment.size;
      if (first >= last) continue;
      const body =
        "bytes" in segment
          ? new Blob([segment.bytes.slice(first, last)]).stream()
          : await segment.read(first, last - first);
      await body.pipeTo(writable, { preventClose: true });
    }
    await writable.close();
  } catch (cause) {
    await writable.abort(cause).catch(() => {});
  }
}
