import Papa from "papaparse";
import { secondsOf, toMs } from "#worker/episodes/transcript-input/times.ts";
import { cueText, notATime, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

/** The names that programs give to the columns. */
const COLUMNS: Record<string, string[]> = {
  start: ["start", "start time", "start_time", "starttime", "in", "from"],
  end: ["end", "end time", "end_time", "endtime", "out", "to", "stop"],
  text: ["text", "transcript", "body", "content", "sentence", "subtitle"],
  speaker: ["speaker", "speaker name", "speaker_name", "name"],
  others: ["timestamp", "time", "duration", "id", "index", "confidence", "notes"],
};
const NAMES = new Set(Object.values(COLUMNS).flat());

const DELIMITERS = ["\t", ",", ";"];

/** Labels as Audacity exports them: a table without a header. */
const LABEL = /^\d+\.\d+\t\d+\.\d+\t/;

/** What separates the cells of a table of cues; null for another text. */
function delimiterOf(source: string) {
  const first = source.slice(0, source.indexOf("\n") >>> 0).toLowerCase();
  if (LABEL.test(first)) return "\t";
  const isHeader = (cells: string[]) => {
    const names = cells.map(nameOf);
    const has = (column: string) => names.some((name) => COLUMNS[column]!.includes(name));
    return names.length > 1 && ((has("start") && has("end")) || names.every((name) => NAMES.has(name)));
  };
  return DELIMITERS.find((delimiter) => isHeader(first.split(delimiter))) ?? null;
}

const nameOf = (cell: string) => cell.trim().replace(/^"|"$/g, "").trim().toLowerCase();

export const isTable = (source: string) => delimiterOf(source) !== null;

type Row = { line: number; cells: string[] };

/** A table as Whisper (TSV), whisper.cpp (CSV) and editors write it. Whole numbers are milliseconds, others seconds. */
export function readTable(source: string): (TimedText | Problem)[] {
  const delimiter = delimiterOf(source)!;
  const rows = delimiter === "\t" ? rowsByTab(source) : rowsOf(source, delimiter);
  const header = LABEL.test(source) ? ["start", "end", "text"] : rows.shift()!.cells.map(nameOf);
  const place = (name: string) => header.findIndex((cell) => COLUMNS[name]!.includes(cell));
  const [from, to, said, speaker] = ["start", "end", "text", "speaker"].map(place) as [
    number,
    number,
    number,
    number,
  ];
  const missing = [from < 0 && "start", said < 0 && "text"].filter(Boolean);
  if (missing.length > 0) return [{ line: 1, problem: `there is no column “${missing.join("” and “")}”.` }];
  const isWhole = rows.every(({ cells }) => [from, to].every((at) => /^\d*$/.test(cells[at]?.trim() ?? "")));
  return rows.map(({ line, cells }) => {
    const [first, last] = [from, to].map((at) => cells[at]?.trim() ?? "") as [string, string];
    const start = timeOf(first, isWhole);
    const end = last === "" ? null : timeOf(last, isWhole);
    if (start === null || (last !== "" && end === null))
      return { line, problem: notATime(start === null ? first : last) };
    return { line, start, end, text: cueText(cells[said] ?? "", cells[speaker] ?? "") };
  });
}

function timeOf(cell: string, isWhole: boolean) {
  if (!/^\d+(?:\.\d+)?$/.test(cell)) return secondsOf(cell);
  return toMs(isWhole ? Number(cell) / 1000 : Number(cell));
}

/** Quotation marks are words there. */
const rowsByTab = (source: string): Row[] =>
  source
    .split("\n")
    .flatMap((text, index) => (text.trim() === "" ? [] : { line: index + 1, cells: text.split("\t") }));

function rowsOf(source: string, delimiter: string) {
  const rows: Row[] = [];
  let [line, from] = [1, 0];
  Papa.parse<string[]>(source, {
    delimiter,
    newline: "\n",
    step: ({ data, meta }) => {
      if (data.some((cell) => cell.trim() !== "")) rows.push({ line, cells: data });
      for (
        let at = source.indexOf("\n", from);
        at >= 0 && at < meta.cursor;
        at = source.indexOf("\n", at + 1)
      )
        line++;
      from = meta.cursor;
    },
  });
  return rows;
}
