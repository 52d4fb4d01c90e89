/** The data of a TrueType font for layout: its characters and their widths. */

export type FontMetrics = {
  has: (character: string) => boolean;
  /** In ems, without kerning. */
  widthOf: (text: string) => number;
};

export function readMetrics(bytes: Uint8Array): FontMetrics {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = tablesOf(view);
  const unitsPerEm = view.getUint16(table("head") + 18);
  const measured = view.getUint16(table("hhea") + 34);
  const advances = table("hmtx");
  const glyphs = glyphsOf(view, table("cmap"));
  const advanceOf = (glyph: number) => view.getUint16(advances + 4 * Math.min(glyph, measured - 1));
  return {
    has: (character) => glyphs.has(character.codePointAt(0)!),
    widthOf: (text) =>
      [...text].reduce((sum, each) => sum + advanceOf(glyphs.get(each.codePointAt(0)!) ?? 0), 0) / unitsPerEm,
  };
}

/** The offset of a table by its tag. */
function tablesOf(view: DataView) {
  const count = view.getUint16(4);
  const offsets = new Map(
    Array.from({ length: count }, (_, index) => {
      const record = 12 + 16 * index;
      const tag = String.fromCharCode(...[0, 1, 2, 3].map((at) => view.getUint8(record + at)));
      return [tag, view.getUint32(record + 8)] as const;
    }),
  );
  return (tag: string) => {
    const offset = offsets.get(tag);
    if (offset === undefined) throw new Error(`The font has no table ${tag}.`);
    return offset;
  };
}

/** Glyphs by code point, from the table of the Basic Multilingual Plane (format 4). */
function glyphsOf(view: DataView, cmap: number) {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, index) => cmap + view.getUint32(cmap + 4 + 8 * index + 4),
  );
  const start = subtables.find((offset) => view.getUint16(offset) === 4);
  if (start === undefined) throw new Error("The font maps no characters in format 4.");
  const segments = view.getUint16(start + 6) / 2;
  const glyphs = new Map<number, number>();
  for (let index = 0; index < segments; index++) {
    const at = (column: number) => start + 14 + 2 * index + (column === 0 ? 0 : 2 + 2 * segments * column);
    const [last, first] = [view.getUint16(at(0)), view.getUint16(at(1))];
    const [delta, range] = [view.getUint16(at(2)), view.getUint16(at(3))];
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = range === 0 ? code : view.getUint16(at(3) + range + 2 * (code - first));
      if (listed !== 0) glyphs.set(code, (listed + delta) & 0xffff);
    }
  }
  return glyphs;
}
