import Papa from "papaparse";
import { FORMULA, plainCell } from "#worker/platform/http/csv-cells.ts";

/** Begins a CSV file in UTF-8: spreadsheets look for this mark. */
export const CSV_MARK = "\ufeff";

/** Lines of CSV. A cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export const csvLines = (rows: string[][]) =>
  `${Papa.unparse(
    rows.map((cells) => cells.map(plainCell)),
    { escapeFormulae: FORMULA },
  )}\r\n`;
