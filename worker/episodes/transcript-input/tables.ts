import Papa from "papaparse";
import { secondsOf, toMs } from "#worker/episodes/transcript-input/times.ts";
import { cueText, notATime, type Problem, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

/** The names that programs give to the columns; the first that there is counts. */
const COLUMNS: Record<string, string[]> = {
  start: [
    "start",
    "start time",
    "starttime",
    "begin",
    "in",
    "from",
    "start ms",
    "start seconds",
    "timecode",
    "timestamp",
    "time",
  ],
  end: ["end", "end time", "endtime", "out", "to", "stop", "end ms", "end seconds"],
  text: ["text", "transcript", "body", "content", "sentence", "subtitle"],
  speaker: ["speaker", "speaker name", "name"],
  others: ["duration", "id", "index", "confidence", "notes"],
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

/** Without the unit behind it, such as “Start (s)” or “Start in seconds”. */
const nameOf = (cell: string) => {
  const name = cell.trim().replace(/^"|"$/g, "").split(/[([]/, 1)[0]!.replaceAll("_", " ").trim();
  return name.toLowerCase().replace(/ in (?:milli)?seconds$/, "");
};

/** Whether the first row names seconds as the unit of a column’s times. */
const isInSeconds = (cell: string) => /(?:[([_\s])(?:s|secs?|seconds)\b/i.test(cell.trim());

export const isTable = (source: string) => delimiterOf(source) !== null;

type Row = { line: number; cells: string[] };

/**
 * A table as Whisper (TSV), whisper.cpp (CSV) and editors write it. Whole numbers are milliseconds, unless the first row names
 * seconds.
 */
export function readTable(source: string): (TimedText | Problem)[] {
  const delimiter = delimiterOf(source)!;
  const rows = delimiter === "\t" ? rowsByTab(source) : rowsOf(source, delimiter);
  const written = LABEL.test(source) ? ["start", "end", "text"] : rows.shift()!.cells;
  const header = written.map(nameOf);
  const place = (name: string) =>
    header.indexOf(COLUMNS[name]!.find((column) => header.includes(column)) ?? "none");
  const [from, to, said, speaker] = ["start", "end", "text", "speaker"].map(place) as [
    number,
    number,
    number,
    number,
  ];
  const missing = [from < 0 && "start", said < 0 && "text"].filter(Boolean);
  if (missing.length > 0) return [{ line: 1, problem: `there is no column “${missing.join("” and “")}”.` }];
  const times = rows.flatMap(({ cells }) => [from, to].map((at) => cells[at]?.trim() ?? ""));
  const isWhole = !isInSeconds(written[from]!) && times.every((time) => /^\d*$/.test(time));
  const rate = frameRateOf(times);
  return rows.flatMap(({ line, cells }): (TimedText | Problem)[] => {
    // The frequencies of an Audacity label.
    if (cells[0] === "\\") return [];
    const [first, last] = [from, to].map((at) => cells[at]?.trim() ?? "") as [string, string];
    const start = timeOf(first, isWhole, rate);
    const end = last === "" ? null : timeOf(last, isWhole, rate);
    if (start === null || (last !== "" && end === null))
      return [{ line, problem: notATime(start === null ? first : last) }];
    return [{ line, start, end, text: cueText(cells[said] ?? "", cells[speaker] ?? "") }];
  });
}

/** Premiere’s times end with frames. */
const FRAMES = /^(\d+:\d\d:\d\d)[:;](\d\d)$/;
const FRAME_RATES = [24, 25, 30, 50, 60];

/** The lowest usual rate of frames that these times may have; they do not name it. */
function frameRateOf(times: string[]) {
  const last = times.reduce((most, time) => Math.max(most, Number(FRAMES.exec(time)?.[2] ?? 0)), 0);
  return FRAME_RATES.find((rate) => rate > last) ?? 100;
}

function timeOf(cell: string, isWhole: boolean, rate: number) {
  const [, clock, frames] = FRAMES.exec(cell) ?? [];
  if (clock !== undefined) {
    const seconds = secondsOf(clock);
    return seconds === null ? null : toMs(seconds + Number(frames) / rate);
  }
  if (!/^\d+(?:[.,]\d+)?$/.test(cell)) return secondsOf(cell);
  const number = Number(cell.replace(",", "."));
  return toMs(isWhole ? number / 1000 : number);
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
