import Papa from "papaparse";
import { NotText, wholeTextOf } from "../file-text.ts";

export type CsvRow = Record<string, string>;

/** The rows of a CSV by the names of their columns in lower case, read as a whole. `broken` counts those that do not fit. */
export async function csvRowsOf(file: Blob): Promise<{ columns: string[]; rows: CsvRow[]; broken: number }> {
  const { text } = await wholeTextOf(file);
  const { data, errors, meta } = Papa.parse<CsvRow>(text, {
    header: true,
    skipEmptyLines: "greedy",
    transformHeader: (name) => name.replace("\ufeff", "").trim().toLowerCase(),
  });
  // Papa counts the header among the rows of broken quotation marks; one that is never closed is in the last.
  const bad = new Set(
    errors.map(({ type, code, row = 0 }) =>
      code === "MissingQuotes" ? data.length - 1 : type === "Quotes" ? row - 1 : row,
    ),
  );
  const rows = data.filter((_row, index) => !bad.has(index));
  return { columns: meta.fields ?? [], rows, broken: data.length - rows.length };
}

/** Bytes in which a file says its columns. */
const BEGINNING = 4096;

/** The columns of a CSV, in lower case; empty for a file that is not text. */
export async function columnsOf(file: Blob) {
  try {
    const start = file.slice(0, BEGINNING);
    const { text } = await wholeTextOf(start);
    const [names = []] = Papa.parse<string[]>(text.replace("\ufeff", ""), { preview: 1 }).data;
    return names.map((name) => name.trim().toLowerCase());
  } catch (error) {
    if (error instanceof NotText) return [];
    throw error;
  }
}
