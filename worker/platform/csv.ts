import Papa from "papaparse";

/** Begins a CSV file in UTF-8: spreadsheets look for this mark. */
export const CSV_MARK = "\ufeff";

/**
 * Lines of CSV. What a spreadsheet would take for a formula, in wide characters, too, begins with an apostrophe. What turns
 * the text behind it, or is no character, stands there as one that can be seen.
 */
export const csvLines = (rows: string[][]) =>
  `${Papa.unparse(
    rows.map((cells) => cells.map(visible)),
    { escapeFormulae: FORMULA },
  )}\r\n`;

const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

const visible = (cell: string) => cell.replaceAll(INVISIBLE, "\ufffd");

const INVISIBLE = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
