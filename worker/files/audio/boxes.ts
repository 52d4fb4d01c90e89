import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** The boxes of MP4 and its relatives, ISO 14496-12, 4.2. */

export type Box = {
  type: string;
  start: number;
  content: number;
  /** At most the end of its parent. */
  end: number;
  /** The end of its parent. */
  within: number;
  /** Whether it claims to extend past its parent. */
  isCut: boolean;
  boxes: Box[];
};

export const wholeFile = ({ size }: Reader): Box => ({
  type: "",
  start: 0,
  content: 0,
  end: size,
  within: size,
  isCut: false,
  boxes: [],
});

export async function* boxesIn(reader: Reader, parent: Box) {
  for (let start = parent.content; start + 8 <= parent.end;) {
    reader.step();
    const box = await readBox(reader, start, parent.end);
    if (!box) return;
    yield box;
    start = box.end;
  }
}

async function readBox(reader: Reader, start: number, last: number): Promise<Box | null> {
  const header = await reader.view(start, Math.min(16, last - start));
  const size = header.getUint32(0);
  // 1: the true size follows in 64 bits. 0: to the end of the file.
  const isLong = size === 1;
  if (isLong && header.byteLength < 16) return null;
  const length = isLong ? Number(header.getBigUint64(8)) : size === 0 ? last - start : size;
  const content = start + (isLong ? 16 : 8);
  const end = start + length;
  if (end < content) return null;
  const type = await readType(reader, start + 4);
  return { type, start, content, end: Math.min(end, last), within: last, isCut: end > last, boxes: [] };
}

export async function readType(reader: Reader, at: number) {
  return String.fromCharCode(...(await reader.bytes(at, at + 4)));
}
