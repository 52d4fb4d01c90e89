/** What a file is by its first bytes, whatever its name says. */
const kinds = [
  // With its third byte: a list may begin with a column “PK”.
  { name: "a zip", bytes: [0x50, 0x4b, 3, 4] },
  { name: "a zip", bytes: [0x50, 0x4b, 5, 6] },
  { name: "a picture (PNG)", bytes: [0x89, 0x50] },
  { name: "a picture (JPEG)", bytes: [0xff, 0xd8, 0xff] },
  { name: "a picture (GIF)", bytes: [0x47, 0x49, 0x46, 0x38] },
  { name: "a PDF", bytes: [0x25, 0x50, 0x44, 0x46] },
  { name: "a recording (MP3)", bytes: [0x49, 0x44, 0x33, 3] },
  { name: "a recording (MP3)", bytes: [0x49, 0x44, 0x33, 4] },
  { name: "an old Excel or Word file", bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { name: "a database (SQLite)", bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65] },
  { name: "a compressed file (GZIP)", bytes: [0x1f, 0x8b] },
  { name: "a compressed file (7Z)", bytes: [0x37, 0x7a, 0xbc, 0xaf] },
  { name: "a compressed file (RAR)", bytes: [0x52, 0x61, 0x72, 0x21] },
];

/** A description for a message; null if the first bytes are text, or unknown. */
export async function kindOf(file: Blob) {
  const beginning = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return kinds.find(({ bytes }) => bytes.every((byte, at) => beginning[at] === byte))?.name ?? null;
}

/** Documents of office programs are zips too. */
const packed = [
  { name: "an Excel file (XLSX)", has: (names: string[]) => names.some((name) => name.startsWith("xl/")) },
  { name: "a Word file (DOCX)", has: (names: string[]) => names.some((name) => name.startsWith("word/")) },
  {
    name: "a PowerPoint file (PPTX)",
    has: (names: string[]) => names.some((name) => name.startsWith("ppt/")),
  },
  { name: "a Pages or Numbers file", has: (names: string[]) => names.some((name) => name.endsWith(".iwa")) },
  {
    name: "an OpenDocument file",
    has: (names: string[]) => names.includes("mimetype") && names.includes("content.xml"),
  },
  { name: "a book (EPUB)", has: (names: string[]) => names.includes("META-INF/container.xml") },
];

/** By the names in a zip; null if it is not a known document. */
export const packedKindOf = (names: string[]) => packed.find(({ has }) => has(names))?.name ?? null;
