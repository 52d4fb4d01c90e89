import { guessMapping, isHeader, type Mapping } from "./columns.ts";
import { encodingOf, NotText, type Encoding } from "../../imports/file-text.ts";
import { guessDelimiter, recordsOf } from "./records.ts";

/** Bytes. */
const MAX_FILE = 200 * 1024 * 1024;
/** Bytes of the beginning that is shown. */
const BEGINNING = 64 * 1024;
const SHOWN_ROWS = 5;

export type Inspected = {
  file: File;
  encoding: Encoding;
  delimiter: string;
  /** The cells of the first line. */
  first: string[];
  /** Whether it names the columns. */
  hasHeader: boolean;
  /** The lines after it. */
  rows: string[][];
  mapping: Mapping;
  /** When it was looked at, in milliseconds UTC: a later date is none. */
  at: number;
};

/** Looks at a file's beginning; in words what is wrong where it cannot be imported. */
export async function inspect(file: File): Promise<Inspected | { error: string }> {
  if (file.size > MAX_FILE) return { error: "Files can be up to 200 MB. Split it into several." };
  const encoding = await encodingOf(file).catch((error: unknown) => {
    if (error instanceof NotText) return null;
    throw error;
  });
  if (encoding === null)
    return { error: "This isn’t a CSV file. In a spreadsheet, choose “Save as” or “Download”, then CSV." };
  const text = new TextDecoder(encoding).decode(await file.slice(0, BEGINNING).arrayBuffer(), {
    stream: true,
  });
  const delimiter = guessDelimiter(text);
  const lines = await beginningOf(text, delimiter);
  const [first, ...rows] = lines;
  if (!first) return { error: "This file is empty." };
  const hasHeader = isHeader(first);
  if (hasHeader && rows.length === 0) return { error: "This file has nothing below its first line." };
  const mapping = guessMapping(hasHeader ? first : first.map(() => ""), hasHeader ? rows : lines);
  return { file, encoding, delimiter, first, hasHeader, rows, mapping, at: Date.now() };
}

async function beginningOf(text: string, delimiter: string) {
  async function* whole() {
    yield { text, bytes: 0 };
  }
  const lines: string[][] = [];
  for await (const { records } of recordsOf(whole(), delimiter)) {
    for (const record of records) if ("cells" in record) lines.push(record.cells);
    if (lines.length > SHOWN_ROWS) break;
  }
  return lines.slice(0, SHOWN_ROWS + 1);
}
