import { cutOff, tooManyParts, UnreadableError } from "#worker/files/invalid.ts";
import { EMPTY_EXIF } from "#worker/files/pictures/metadata/exif.ts";
import type { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Bytes of the boxes with positions. A photograph's have a few thousand, a long sequence's somewhat more. */
const MOST_HEADERS = 4 * 1024 * 1024;

/** Data boxes; most files have one. */
const MOST_DATA = 16;
/** From the movie to its sample tables, and one spare. */
const MOST_LEVELS = 6;

const TOP = ["ftyp", "meta", "mdat", "moov"];
/** The boxes that playing a sequence needs. */
const MOVIE = words(
  "mvhd trak tkhd edts elst tref mdia mdhd hdlr minf vmhd nmhd dinf dref stbl stsd stts stss stsz stsc stco co64 ctts " +
    "sdtp sbgp sgpd cslg mvex trex mehd",
);
const MOVIE_PARENTS = words("moov trak mdia minf stbl edts mvex");
const TIMED = words("mvhd tkhd mdhd");
const META = words("hdlr pitm iinf iloc iref iprp idat grpl dinf");
/** Properties with text about the picture, which do not affect how it looks. */
const NO_LOOKS = words("udes altt crtt mdft uuid udta free skip");
/** Items that are pictures, or composed of pictures. */
const PICTURES = words("av01 hvc1 hev1 lhv1 avc1 vvc1 evc1 jpeg j2k1 unci grid iovl iden tmap");

const SPACE = 0x20;

type Box = { type: string; start: number; content: number; end: number };
type Range = { start: number; end: number };
/** Overwrites a range of the file: with the bytes, then with `fill`, or zeros. */
type Overwrite = Range & { bytes?: Uint8Array; fill?: number };
type Item = { id: number; isInIdat: boolean; extents: { offset: number; length: number }[] };

/**
 * AVIF and HEIC, ISO 23008-12: positions are absolute, so nothing may move. What is not needed to show the picture is
 * overwritten. Rotation, mirroring and colours are properties of the picture and remain; Exif does not affect them.
 */
export async function cleanHeif(reader: Reader, pieces: Pieces) {
  const top = await readTop(reader);
  const overwrites: Overwrite[] = [];
  const data = top.filter(({ type }) => type === "mdat").map(({ content, end }) => ({ start: content, end }));
  if (data.length > MOST_DATA) throw tooManyParts();
  const movies = top.filter(({ type }) => type === "moov");
  const metas = top.filter(({ type }) => type === "meta");
  for (const box of top) if (!TOP.includes(box.type)) overwrites.push(...blank(box));
  for (const box of movies) overwrites.push(...cleanMovie(reader, await headers(reader, box), box));
  const used: Range[] = [];
  for (const box of metas) {
    const cleaned = cleanMeta(reader, await headers(reader, box), box, data);
    overwrites.push(...cleaned.overwrites);
    used.push(...cleaned.used);
  }
  // If no sequence has its own data, the data that no picture uses is left over and is overwritten.
  if (movies.length === 0 && metas.length > 0)
    overwrites.push(...data.flatMap((range) => [...unused(range, used)]));
  const end = top.findLast(({ type }) => TOP.includes(type))?.end ?? 0;
  apply(pieces, overwrites, end);
}

async function readTop(reader: Reader) {
  const boxes: Box[] = [];
  for (let start = 0; start + 8 <= reader.size;) {
    reader.step();
    const header = await reader.view(start, Math.min(16, reader.size - start));
    const box = readBox(header, 0, start, reader.size);
    if (box.end > reader.size) throw cutOff();
    boxes.push(box);
    start = box.end;
  }
  return boxes;
}

/** The box whose header is at `at` of the view; `start` is its position in the file. Size 0 means up to `last`. */
function readBox(view: DataView, at: number, start: number, last: number): Box {
  const size = view.getUint32(at);
  const header = size === 1 ? 16 : 8;
  const length = size === 1 ? Number(view.getBigUint64(at + 8)) : size === 0 ? last - start : size;
  if (length < header) throw new UnreadableError("A box shorter than its header");
  return { type: ascii(view, at + 4, 4), start, content: start + header, end: start + length };
}

async function headers(reader: Reader, { start, end }: Box) {
  if (end - start > MOST_HEADERS) throw tooManyParts();
  return new Headers(await reader.view(start, end - start), start);
}

/** Reads numbers in a box by their positions in the file. */
class Headers {
  readonly view: DataView;
  readonly base: number;

  constructor(view: DataView, base: number) {
    this.view = view;
    this.base = base;
  }

  uint(at: number, bytes: number) {
    let value = 0;
    for (let index = 0; index < bytes; index++)
      value = value * 256 + this.view.getUint8(at - this.base + index);
    return value;
  }

  ascii(at: number, length: number) {
    return ascii(this.view, at - this.base, length);
  }

  *boxes(reader: Reader, start: number, end: number): Generator<Box> {
    while (start + 8 <= end) {
      reader.step();
      const box = readBox(this.view, start - this.base, start, end);
      if (box.end > end) throw new UnreadableError("A box longer than what it stands in");
      yield box;
      start = box.end;
    }
  }
}

function* cleanMovie(reader: Reader, moov: Headers, { content, end }: Box, level = 0): Generator<Overwrite> {
  if (level > MOST_LEVELS) throw new UnreadableError("Boxes within boxes within boxes");
  for (const box of moov.boxes(reader, content, end)) {
    if (!MOVIE.includes(box.type)) yield* blank(box);
    else if (MOVIE_PARENTS.includes(box.type)) yield* cleanMovie(reader, moov, box, level + 1);
    // The times of creation and last change.
    else if (TIMED.includes(box.type))
      yield { start: box.content + 4, end: box.content + (moov.uint(box.content, 1) === 1 ? 20 : 12) };
  }
}

function cleanMeta(reader: Reader, meta: Headers, { content, end }: Box, data: Range[]) {
  const boxes = [...meta.boxes(reader, content + 4, end)];
  const find = (type: string) => boxes.find((box) => box.type === type);
  const overwrites = boxes.filter(({ type }) => !META.includes(type)).flatMap((box) => [...blank(box)]);
  const idat = find("idat");
  const [iinf, iloc, iprp] = [find("iinf"), find("iloc"), find("iprp")];
  if (iprp) overwrites.push(...cleanProperties(reader, meta, iprp));
  const types = new Map<number, string>();
  if (iinf) overwrites.push(...readItemTypes(reader, meta, iinf, types));
  const used: Range[] = [];
  for (const item of iloc ? readItems(reader, meta, iloc) : []) {
    const type = types.get(item.id) ?? "";
    const extents = item.extents.map((extent) => rangeOf(reader, item, extent, idat));
    if (PICTURES.includes(type)) used.push(...extents);
    else overwrites.push(...extents.map((extent) => emptied(type, extent, data, idat)));
  }
  return { overwrites, used: [...used, ...overwrites] };
}

/** Overwrites texts and times among the properties of pictures. */
function* cleanProperties(reader: Reader, meta: Headers, { content, end }: Box) {
  for (const ipco of meta.boxes(reader, content, end)) {
    if (ipco.type !== "ipco") continue;
    for (const box of meta.boxes(reader, ipco.content, ipco.end))
      if (NO_LOOKS.includes(box.type)) yield* blank(box);
  }
}

/** Reads the items' types, and overwrites their names. */
function* readItemTypes(reader: Reader, meta: Headers, { content, end }: Box, types: Map<number, string>) {
  const first = content + 4 + (meta.uint(content, 1) === 0 ? 2 : 4);
  for (const box of meta.boxes(reader, first, end)) {
    const version = meta.uint(box.content, 1);
    if (box.type !== "infe" || version < 2) throw new UnreadableError("An item without a type");
    const idBytes = version === 2 ? 2 : 4;
    const type = box.content + 4 + idBytes + 2;
    types.set(meta.uint(box.content + 4, idBytes), meta.ascii(type, 4));
    let nameEnd = type + 4;
    while (nameEnd < box.end && meta.uint(nameEnd, 1) !== 0) nameEnd++;
    yield { start: type + 4, end: nameEnd, fill: SPACE };
  }
}

/** ISO 14496-12, 8.11.3. */
function* readItems(reader: Reader, meta: Headers, { content }: Box): Generator<Item> {
  const version = meta.uint(content, 1);
  const sizes = meta.uint(content + 4, 2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const idBytes = version === 2 ? 4 : 2;
  const count = meta.uint(content + 6, idBytes);
  let at = content + 6 + idBytes;
  const next = (bytes: number) => {
    at += bytes;
    return meta.uint(at - bytes, bytes);
  };
  for (let index = 0; index < count; index++) {
    reader.step();
    const id = next(idBytes);
    const method = version === 0 ? 0 : next(2) & 15;
    // 0 means this file.
    const isHere = next(2) === 0;
    const base = next(baseBytes);
    const extents: Item["extents"] = [];
    for (let left = next(2); left > 0; left--) {
      reader.step();
      next(indexBytes);
      extents.push({ offset: base + next(offsetBytes), length: next(lengthBytes) });
    }
    if (method > 1) throw new UnreadableError("An item within another one's data");
    if (isHere) yield { id, isInIdat: method === 1, extents };
  }
}

function rangeOf(reader: Reader, item: Item, { offset, length }: Item["extents"][number], idat?: Box): Range {
  if (item.isInIdat && !idat) throw new UnreadableError("An item in a box that is not there");
  const start = (item.isInIdat ? idat!.content : 0) + offset;
  const last = item.isInIdat ? idat!.end : reader.size;
  // Length 0 means up to the end.
  const end = length === 0 ? last : start + length;
  if (end > last) throw cutOff();
  return { start, end };
}

/** An item without content: Exif without an entry, or text of spaces. */
function emptied(type: string, range: Range, data: Range[], idat?: Box): Overwrite {
  const places = idat ? [...data, { start: idat.content, end: idat.end }] : data;
  if (!places.some(({ start, end }) => start <= range.start && range.end <= end))
    throw new UnreadableError("An item outside of the data");
  if (type === "mime") return { ...range, fill: SPACE };
  // Four bytes before Exif state the distance to its start.
  return type === "Exif" ? { ...range, bytes: new Uint8Array([0, 0, 0, 0, ...EMPTY_EXIF]) } : range;
}

/** A box of zeros that readers skip, of the same length. */
function* blank({ start, content, end }: Box): Generator<Overwrite> {
  yield { start: start + 4, end: start + 8, bytes: new TextEncoder().encode("free") };
  yield { start: content, end };
}

/** The gaps between these ranges, within a range. */
function* unused({ start, end }: Range, used: Range[]): Generator<Overwrite> {
  let at = start;
  for (const range of used.toSorted((a, b) => a.start - b.start)) {
    if (range.start > at) yield { start: at, end: Math.min(range.start, end) };
    at = Math.max(at, range.end);
    if (at >= end) return;
  }
  if (at < end) yield { start: at, end };
}

/** The source up to `end` with these ranges overwritten; of two that overlap, the first wins. */
function apply(pieces: Pieces, overwrites: Overwrite[], end: number) {
  let at = 0;
  for (const { bytes, fill = 0, ...range } of overwrites.toSorted((a, b) => a.start - b.start)) {
    const start = Math.max(at, range.start);
    const stop = Math.min(range.end, end);
    if (start >= stop) continue;
    pieces.keep(at, start);
    const own = bytes?.subarray(start - range.start, stop - range.start);
    if (own) pieces.add(own);
    pieces.fill(fill, stop - start - (own?.length ?? 0));
    at = stop;
  }
  pieces.keep(at, end);
}

function words(text: string) {
  return text.split(" ");
}

const ascii = (view: DataView, start: number, length: number) =>
  new TextDecoder("latin1").decode(new Uint8Array(view.buffer, view.byteOffset + start, length));
