import { encodingOf, NotText, withoutZeros, type Encoding } from "../file-text.ts";
import { kindOf, packedKindOf } from "../file-kinds.ts";
import { BadFile, openZip } from "../zip.ts";
import { isAddress, isAddressHeader } from "./columns.ts";
import { guessDelimiter, recordsOf } from "./records.ts";

/** Bytes. */
export const MAX_FILE = 200 * 1024 * 1024;
/** Bytes of the beginning, in which the header is looked for. */
const BEGINNING = 64 * 1024;
/** Lines that may stand above the header. */
const MOST_ABOVE = 20;
const SHOWN_ROWS = 5;
/** Lists in a zip. */
const MOST_LISTS = 50;

/** A file with one person a line, and the line on which they begin. */
export type ListFile = {
  file: File;
  encoding: Encoding;
  delimiter: string;
  /** The names of the columns; empty if no line has them. */
  header: string[];
  /** The line of the header, or the last one above the first person; 0 for none. */
  headerLine: number;
  /** The first lines behind it. */
  rows: string[][];
};

/** A zip with several lists has them by name; of one alone it is that. */
export type OpenedFile = { list: ListFile } | { lists: File[] } | { error: string };

/** Opens the chosen file; a message describes a file that is not a list. */
export async function openFile(file: File): Promise<OpenedFile> {
  if (file.size > MAX_FILE) return { error: "Files can be up to 200 MB. Split it into several." };
  if (file.size === 0) return { error: "This file is empty." };
  const kind = await kindOf(file);
  if (kind === "a zip") return openLists(file);
  if (kind) return { error: notAList(kind, fixOf(kind)) };
  const encoding = await encodingOf(file).catch((error: unknown) => {
    if (error instanceof NotText) return null;
    throw error;
  });
  if (encoding === null) return { error: notAList("a file without text", SAVE_AS) };
  const beginning = await file.slice(0, BEGINNING).arrayBuffer();
  const { text } = withoutZeros(new TextDecoder(encoding).decode(beginning, { stream: true }));
  const written = textKinds.find(({ pattern }) => pattern.test(text));
  if (written) return { error: notAList(written.name, written.fix) };
  const delimiter = guessDelimiter(text);
  const lines = await beginningOf(text, delimiter);
  if (lines.length === 0) return { error: "This file is empty." };
  const at = findHeader(lines.map(({ cells }) => cells));
  const rows = lines.slice(at + 1).map(({ cells }) => cells);
  if (rows.length === 0) return { error: "This file has nothing below its first line." };
  const header = headerCells(lines[at]?.cells ?? [], rows[0]!.length);
  const headerLine = lines[at]?.line ?? 0;
  return { list: { file, encoding, delimiter, header, headerLine, rows: rows.slice(0, SHOWN_ROWS) } };
}

/**
 * The line that names the columns, from 0; -1 for none. It is the first with a cell such as “Email” and no address, or else
 * the line above the first address: services write a title, a date or “sep=;” above it.
 */
function findHeader(lines: string[][]) {
  const named = lines.findIndex((cells) => cells.some(isAddressHeader) && !cells.some(isAddress));
  const first = lines.findIndex((cells) => cells.some(isAddress));
  if (named >= 0 && (first < 0 || named < first || isTitle(lines[first]!, lines[named]!))) return named;
  return first < 0 ? 0 : first - 1;
}

/** A line above the header may name who exported the list. */
const isTitle = (cells: string[], header: string[]) =>
  cells.filter((cell) => cell.trim() !== "").length < Math.min(3, header.length);

/** Some programs separate the names of the columns by another character than the cells below. */
function headerCells(cells: string[], width: number) {
  if (cells.length !== 1 || width === 1) return cells;
  const splits = [",", ";", "\t", "|"].map((character) => cells[0]!.split(character));
  return splits.find((names) => names.length > 1 && names.length >= width) ?? cells;
}

const SAVE_AS = "Open it in a spreadsheet and choose “Save as” or “Download”, then CSV.";
const EXPORT_CSV = "Export the subscribers as CSV instead.";

function fixOf(kind: string) {
  if (kind.startsWith("a compressed file")) return "Unpack it, then choose the CSV file.";
  return kind.includes("Excel") ? SAVE_AS : EXPORT_CSV;
}

const notAList = (name: string, fix: string) => `This isn’t a CSV file: it’s ${name}. ${fix}`;

const textKinds = [
  {
    name: "a web page (HTML)",
    pattern: /^\s*(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body|table)\b/i,
    fix: EXPORT_CSV,
  },
  { name: "an XML file", pattern: /^\s*<(\?xml|!doctype|[a-z]+[\s>])/i, fix: EXPORT_CSV },
  { name: "a JSON file", pattern: /^\s*(\{\s*("|\})|\[\s*(\{|\[|"|\]))/, fix: EXPORT_CSV },
  { name: "an address book (vCard)", pattern: /^\s*BEGIN:VCARD/i, fix: EXPORT_CSV },
  { name: "a text document (RTF)", pattern: /^\s*\{\\rtf/, fix: EXPORT_CSV },
];

/** The lists in a service's zip. Other files in it, such as who opened which letter, are skipped. */
async function openLists(zipFile: File): Promise<OpenedFile> {
  try {
    const zip = await openZip(zipFile);
    try {
      const other = packedKindOf(zip.names);
      if (other) return { error: notAList(other, SAVE_AS) };
      const names = zip.names.filter(isListName);
      if (names.length === 0) return { error: "This zip has no CSV file." };
      const found: ListFile[] = [];
      for (const name of names.slice(0, MOST_LISTS)) {
        const file = new File([await zip.unpack(name, MAX_FILE)], name.split("/").at(-1)!, {
          type: "text/csv",
          lastModified: zipFile.lastModified,
        });
        const opened = await openFile(file);
        if ("list" in opened && opened.list.rows.some((cells) => cells.some(isAddress)))
          found.push(opened.list);
      }
      if (found.length === 0) return { error: "No CSV file in this zip has people in it." };
      return found.length === 1 ? { list: found[0]! } : { lists: found.map(({ file }) => file) };
    } finally {
      await zip.close();
    }
  } catch (error) {
    if (error instanceof BadFile) return { error: error.message };
    throw error;
  }
}

const isListName = (name: string) =>
  /\.(csv|tsv|txt)$/i.test(name) &&
  !/(^|\/)(__MACOSX|posts|\.[^/]*)\//.test(name) &&
  !/(^|\/)(\.|posts\.csv$)/i.test(name);

async function beginningOf(text: string, delimiter: string) {
  async function* whole() {
    yield { text, bytes: 0 };
  }
  const lines: { line: number; cells: string[] }[] = [];
  for await (const { records } of recordsOf(whole(), delimiter)) {
    for (const record of records) if ("cells" in record) lines.push(record);
    if (lines.length > MOST_ABOVE + SHOWN_ROWS) break;
  }
  return lines.slice(0, MOST_ABOVE + SHOWN_ROWS);
}
