import type { ImportInput, ImportResult, ImportRow } from "#worker/newsletter/contract.ts";
import { IMPORT_ROWS } from "#worker/newsletter/contract.ts";
import { readRow, type Mapping } from "./columns.ts";
import { textOf, type Encoding } from "./file-text.ts";
import { recordsOf } from "./records.ts";
import { Report } from "./report.ts";

export type ImportPlan = {
  file: Blob;
  encoding: Encoding;
  delimiter: string;
  /** The first line, where it names the columns; empty otherwise. */
  header: string[];
  hasHeader: boolean;
  mapping: Mapping;
  about: Omit<ImportInput, "rows">;
};

export type Send = (input: ImportInput) => Promise<{ items: ImportResult[] }>;

type Options = {
  send: Send;
  /** After each part: the bytes of the file that are dealt with. */
  onProgress: (bytes: number, report: Report) => void;
  signal: AbortSignal;
};

/** Characters of addresses in one request: far below what the API takes, whatever they are made of. */
const MAX_CHARACTERS = 50_000;

/**
 * Reads a file and sends its rows, one request after the other, so that neither this page nor the Worker holds more of it.
 * Ends early, with what was reported until then, once it is cancelled.
 */
export async function runImport(plan: ImportPlan, { send, onProgress, signal }: Options): Promise<Report> {
  const report = new Report();
  const now = Date.now();
  let rows: ImportRow[] = [];
  let characters = 0;
  let isFirst = plan.hasHeader;
  const flush = async () => {
    if (rows.length === 0) return;
    const sent = new Map(rows.map(({ line, email }) => [line, email]));
    const { items } = await send({ ...plan.about, rows });
    for (const result of items) report.addResult(result, sent.get(result.line) ?? "");
    rows = [];
    characters = 0;
  };
  for await (const { records, bytes } of recordsOf(textOf(plan.file, plan.encoding), plan.delimiter)) {
    for (const record of records) {
      if (signal.aborted) return report;
      if ("broken" in record) {
        report.addInvalid(record.line, record.broken, "The quotation marks of this line do not fit.");
        continue;
      }
      if (isFirst) {
        isFirst = false;
        continue;
      }
      const read = readRow(record.cells, record.line, plan.mapping, plan.header, now);
      if ("unknownStatus" in read) {
        const email = record.cells[plan.mapping.email ?? 0] ?? "";
        report.addInvalid(record.line, email, `The status “${read.unknownStatus}” is not known.`);
        continue;
      }
      if (read.isDateUnread) report.counts.datesUnread++;
      rows.push(read.row);
      characters += read.row.email.length;
      if (rows.length === IMPORT_ROWS || characters > MAX_CHARACTERS) await flush();
    }
    onProgress(bytes, report);
  }
  if (!signal.aborted) await flush();
  onProgress(plan.file.size, report);
  return report;
}
