import type { ImportInput, ImportResult, ImportRow } from "#worker/newsletter/contract.ts";
import { IMPORT_ROWS } from "#worker/newsletter/contract.ts";
import { readRow, type Mapping } from "./columns.ts";
import { textOf, type Encoding } from "../../imports/file-text.ts";
import { recordsOf, type FileRecord } from "./records.ts";
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
  /** After each request: about how many bytes of the file are dealt with. */
  onProgress: (bytes: number, report: Report) => void;
  signal: AbortSignal;
};

/** Characters of addresses in one request: far below what the API takes, whatever they are made of. */
const MAX_CHARACTERS = 50_000;

/**
 * Reads a file and sends its rows, one request after the other, so that neither this page nor the Worker holds more of it.
 * Ends early, with what was reported until then, once it is cancelled.
 */
export async function runImport(plan: ImportPlan, options: Options): Promise<Report> {
  const run = new ImportRun(plan, options);
  let before = 0;
  for await (const { records, bytes } of recordsOf(textOf(plan.file, plan.encoding), plan.delimiter)) {
    for (const [index, record] of records.entries()) {
      if (options.signal.aborted) return run.report;
      run.add(record);
      if (run.isFull) await run.send(before + ((bytes - before) * index) / records.length);
    }
    before = bytes;
    options.onProgress(bytes, run.report);
  }
  if (!options.signal.aborted) await run.send(plan.file.size);
  return run.report;
}

/** What is read and not sent yet, and what became of the rest. */
class ImportRun {
  readonly report = new Report();
  readonly #plan: ImportPlan;
  readonly #options: Options;
  readonly #now = Date.now();
  #rows: ImportRow[] = [];
  #characters = 0;
  #isHeaderDue: boolean;

  constructor(plan: ImportPlan, options: Options) {
    this.#plan = plan;
    this.#options = options;
    this.#isHeaderDue = plan.hasHeader;
  }

  add(record: FileRecord) {
    const { line } = record;
    if ("broken" in record)
      return this.report.addInvalid(line, record.broken, "This line has an unmatched quotation mark.");
    if (this.#isHeaderDue) {
      this.#isHeaderDue = false;
      return;
    }
    const { mapping, header } = this.#plan;
    const read = readRow(record.cells, line, mapping, header, this.#now);
    if ("unknownStatus" in read) {
      const email = record.cells[mapping.email ?? 0] ?? "";
      return this.report.addInvalid(line, email, `Unknown status “${read.unknownStatus}”.`);
    }
    if (read.isDateUnread) this.report.counts.datesUnread++;
    this.#rows.push(read.row);
    this.#characters += read.row.email.length;
  }

  get isFull() {
    return this.#rows.length === IMPORT_ROWS || this.#characters > MAX_CHARACTERS;
  }

  async send(bytes: number) {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    if (rows.length === 0) return;
    const emails = new Map(rows.map(({ line, email }) => [line, email]));
    const { items } = await this.#options.send({ ...this.#plan.about, rows });
    for (const result of items) this.report.addResult(result, emails.get(result.line) ?? "");
    this.#options.onProgress(bytes, this.report);
  }
}
