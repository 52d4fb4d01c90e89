import { brotliDecompressSync } from "node:zlib";

/** The data of a font for layout: its characters and their widths. */
export type FontMetrics = {
  has: (character: string) => boolean;
  /** In ems, without kerning. */
  widthOf: (text: string) => number;
};

type Tables = (tag: string) => DataView;

/** Reads TrueType and WOFF2. */
export function readMetrics(bytes: Uint8Array): FontMetrics {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { table, hasMarkedWidths } = view.getUint32(0) === WOFF2 ? woff2Tables(view) : trueTypeTables(view);
  const unitsPerEm = table("head").getUint16(18);
  const measured = table("hhea").getUint16(34);
  const widths = table("hmtx");
  const glyphs = glyphsOf(table("cmap"));
  const advanceOf = (glyph: number) => {
    const index = Math.min(glyph, measured - 1);
    return widths.getUint16(hasMarkedWidths ? 1 + 2 * index : 4 * index);
  };
  return {
    has: (character) => glyphs.has(character.codePointAt(0)!),
    widthOf: (text) =>
      [...text].reduce((sum, each) => sum + advanceOf(glyphs.get(each.codePointAt(0)!) ?? 0), 0) / unitsPerEm,
  };
}

function trueTypeTables(view: DataView) {
  const found = new Map<string, DataView>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const record = 12 + 16 * index;
    found.set(tagAt(view, record), part(view, view.getUint32(record + 8), view.getUint32(record + 12)));
  }
  return { table: required(found), hasMarkedWidths: false };
}

const WOFF2 = 0x774f4632;
/** The tags with a number of their own that this file reads (W3C WOFF2, 4.1). */
const NUMBERED_TAGS = ["cmap", "head", "hhea", "hmtx"];
const GLYF = 10;
const LOCA = 11;

/** W3C WOFF2: a directory, then all tables in one Brotli stream. */
function woff2Tables(view: DataView) {
  let at = 48;
  /** UIntBase128: seven bits a byte, the highest bit set in all but the last. */
  const size = () => {
    let value = 0;
    for (let byte = 0x80; byte & 0x80;) {
      byte = view.getUint8(at++);
      value = value * 128 + (byte & 0x7f);
    }
    return value;
  };
  let hasMarkedWidths = false;
  const entries = Array.from({ length: view.getUint16(12) }, () => {
    const flags = view.getUint8(at++);
    const number = flags & 63;
    const version = flags >> 6;
    const tag = number === 63 ? tagAt(view, at) : (NUMBERED_TAGS[number] ?? "");
    if (number === 63) at += 4;
    const original = size();
    const isTransformed = number === GLYF || number === LOCA ? version !== 3 : version !== 0;
    // The transformed table has a byte of flags, then the widths without the side bearings.
    if (tag === "hmtx") hasMarkedWidths = isTransformed;
    return { tag, length: isTransformed ? size() : original };
  });
  const compressed = new Uint8Array(view.buffer, view.byteOffset + at, view.getUint32(20));
  const data = brotliDecompressSync(compressed);
  const all = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found = new Map<string, DataView>();
  let start = 0;
  for (const { tag, length } of entries) {
    found.set(tag, part(all, start, length));
    start += length;
  }
  return { table: required(found), hasMarkedWidths };
}

const tagAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));

const part = (view: DataView, offset: number, length: number) =>
  new DataView(view.buffer, view.byteOffset + offset, length);

const required =
  (found: Map<string, DataView>): Tables =>
  (tag) => {
    const table = found.get(tag);
    if (!table) throw new Error(`The font has no table ${tag}.`);
    return table;
  };

/** Glyphs by code point: all characters (format 12), or else the Basic Multilingual Plane (format 4). */
function glyphsOf(cmap: DataView) {
  const subtables = Array.from({ length: cmap.getUint16(2) }, (_, index) => {
    const offset = cmap.getUint32(4 + 8 * index + 4);
    return part(cmap, offset, cmap.byteLength - offset);
  });
  const byFormat = (format: number) => subtables.find((subtable) => subtable.getUint16(0) === format);
  const [whole, basic] = [byFormat(12), byFormat(4)];
  if (whole) return glyphsOfGroups(whole);
  if (basic) return glyphsOfSegments(basic);
  throw new Error("The font maps no characters in format 4 or 12.");
}

function glyphsOfGroups(table: DataView) {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < table.getUint32(12); index++) {
    const at = 16 + 12 * index;
    const [first, last, glyph] = [table.getUint32(at), table.getUint32(at + 4), table.getUint32(at + 8)];
    for (let code = first; code <= last; code++) glyphs.set(code, glyph + code - first);
  }
  return glyphs;
}

function glyphsOfSegments(table: DataView) {
  const segments = table.getUint16(6) / 2;
  const glyphs = new Map<number, number>();
  for (let index = 0; index < segments; index++) {
    const at = (column: number) => 14 + 2 * index + (column === 0 ? 0 : 2 + 2 * segments * column);
    const [last, first] = [table.getUint16(at(0)), table.getUint16(at(1))];
    const [delta, range] = [table.getUint16(at(2)), table.getUint16(at(3))];
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = range === 0 ? code : table.getUint16(at(3) + range + 2 * (code - first));
      if (listed !== 0) glyphs.set(code, (listed + delta) & 0xffff);
    }
  }
  return glyphs;
}
