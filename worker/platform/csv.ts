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

/** A body of these parts in UTF-8, each made when it is taken. */
export function streamOf(parts: AsyncIterable<string> | Iterable<string>) {
  const encoder = new TextEncoder();
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void iterator.return?.(),
  });
}
