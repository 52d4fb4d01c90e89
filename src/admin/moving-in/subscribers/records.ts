import Papa from "papaparse";
import type { TextPart } from "../file-text.ts";

/** A line of the file, or several if a cell contains line breaks. `line` counts from 1. */
export type FileRecord =
  | { line: number; cells: string[] }
  /** Its quotation marks do not fit, or it is longer than any record: its first line is left out. */
  | { line: number; broken: string };

export type RecordsPart = { records: FileRecord[]; bytes: number };

/** Characters. A quotation mark that is never closed would otherwise take the rest of the file. */
const MAX_RECORD = 64 * 1024;
/** Characters of a broken record that the report shows. */
const SHOWN = 80;

const DELIMITERS = [",", ";", "\t", "|"];
/** Characters of the beginning by which the delimiter is found. */
const GUESSED_BY = 16 * 1024;

/** What separates the cells: as the first line says, or what most lines have the same number of. */
export function guessDelimiter(text: string) {
  const said = SEPARATOR_LINE.exec(text)?.[1];
  if (said !== undefined) return said;
  const beginning = text.slice(0, GUESSED_BY).replaceAll(LINE_BREAK, "\n");
  const scores = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(beginning, {
      delimiter,
      newline: "\n",
      preview: 40,
      skipEmptyLines: true,
    });
    const widths = Map.groupBy(data, ({ length }) => length);
    widths.delete(1);
    const [width = 1, lines = []] = [...widths].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
    return { delimiter, lines: lines.length, width };
  });
  const [best] = scores.toSorted((a, b) => b.lines - a.lines || b.width - a.width);
  return best!.lines > 0 ? best!.delimiter : ",";
}

/** Excel's first line, if a list is not separated by commas. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\s*[\r\n]/i;

const LINE_BREAK = /\r\n?/g;

/** The records of a text that arrives in parts, each cell without the quotation marks around it. */
export async function* recordsOf(
  parts: AsyncIterable<Omit<TextPart, "zeros">>,
  delimiter: string,
): AsyncGenerator<RecordsPart> {
  const reader = new RecordReader(delimiter);
  let bytes = 0;
  for await (const part of parts) {
    bytes = part.bytes;
    yield { records: reader.add(part.text), bytes };
  }
  yield { records: reader.end(), bytes };
}

class RecordReader {
  readonly #delimiter: string;
  /** What is not read yet, with one kind of line break. */
  #rest = "";
  #line = 1;
  /** Of the text that was added last: a line feed at the beginning of the next belongs to it. */
  #endsWithReturn = false;
  /** Whether all until the next line break is left out. */
  #isSkipping = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  add(text: string) {
    if (text === "") return [];
    const whole = this.#endsWithReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endsWithReturn = text.endsWith("\r");
    this.#rest += whole.replaceAll(LINE_BREAK, "\n").replaceAll("\ufeff", "");
    return this.#read(false);
  }

  end() {
    return this.#read(true);
  }

  #read(isEnd: boolean) {
    const records: FileRecord[] = [];
    while (this.#skip() && this.#rest !== "") {
      const rows = rowsOf(this.#rest, this.#delimiter);
      const last = rows.at(-1)!;
      // More of it may follow.
      const isOpen = !isEnd && last.end === this.#rest.length;
      for (const row of this.#taken(isOpen ? rows.slice(0, -1) : rows)) records.push(row);
      const isTooLong = isOpen && this.#rest.length > MAX_RECORD;
      if ((isOpen || !last.isBroken) && !isTooLong) break;
      records.push({ line: this.#line, broken: this.#rest.split("\n", 1)[0]!.slice(0, SHOWN) });
      this.#isSkipping = true;
    }
    return records;
  }

  /** Takes rows off the text, until one that is broken. */
  *#taken(rows: Row[]) {
    let from = 0;
    for (const { cells, end, isBroken } of rows) {
      if (isBroken) break;
      if (cells.some((cell) => cell.trim() !== "")) yield { line: this.#line, cells };
      this.#line += lineBreaksIn(this.#rest, from, end);
      from = end;
    }
    this.#rest = this.#rest.slice(from);
  }

  /** Skips the rest of an endless line. Returns false if it continues after this text. */
  #skip() {
    if (!this.#isSkipping) return true;
    const end = this.#rest.indexOf("\n");
    this.#rest = end < 0 ? "" : this.#rest.slice(end + 1);
    if (end < 0) return false;
    this.#line++;
    this.#isSkipping = false;
    return true;
  }
}

type Row = { cells: string[]; /** Where the next one begins. */ end: number; isBroken: boolean };

/** The rows of a text, until the first with quotation marks that do not fit. */
function rowsOf(text: string, delimiter: string) {
  const rows: Row[] = [];
  Papa.parse<string[]>(text, {
    delimiter,
    newline: "\n",
    step({ data: cells, errors, meta }, parser) {
      const isBroken = errors.some(({ type }) => type === "Quotes");
      rows.push({ cells, end: meta.cursor, isBroken });
      if (isBroken) parser.abort();
    },
  });
  return rows;
}

function lineBreaksIn(text: string, from: number, to: number) {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
