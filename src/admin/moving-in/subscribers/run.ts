import type { ImportInput, ImportResult, ImportRow } from "#worker/newsletter/contract.ts";
import { IMPORT_ROWS } from "#worker/newsletter/contract.ts";
import { doubtKey, keyOf, readRow, shownPart, type Answers, type ReadRow } from "./columns.ts";
import type { ListFile } from "./list-file.ts";
import type { FileRecord } from "./records.ts";
import { Report } from "./report.ts";
import { recordsIn, stateOf, type Survey } from "./survey.ts";

export type ImportPlan = {
  list: ListFile;
  survey: Survey;
  answers: Answers;
  about: Omit<ImportInput, "rows">;
};

export type Send = (input: ImportInput) => Promise<{ items: ImportResult[] }>;

type Options = {
  send: Send;
  /** After each request: how much of the file is dealt with, from 0 to 1. */
  onProgress: (part: number, report: Report) => void;
  signal: AbortSignal;
};

/** Characters of addresses in one request: far below what the API takes, whatever they are made of. */
const MAX_CHARACTERS = 50_000;

/**
 * Reads a file and sends its rows, one request after the other, so that neither this page nor the Worker holds more
 * than a part. If cancelled, it ends early with the report until then.
 */
export async function runImport(plan: ImportPlan, options: Options): Promise<Report> {
  const run = new ImportRun(plan, options);
  try {
    for await (const { record, heading, part } of recordsIn(plan.list, options)) {
      run.add(record, heading);
      if (run.isFull) await run.send();
      if (part !== null) run.setProgress(part);
    }
    await run.send();
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
  return run.report;
}

/** Rows that are read and not sent yet, and the results of the others. */
class ImportRun {
  readonly report = new Report();
  readonly #plan: ImportPlan;
  readonly #options: Options;
  readonly #now = Date.now();
  #rows: ImportRow[] = [];
  #characters = 0;
  #part = 0;

  constructor(plan: ImportPlan, options: Options) {
    this.#plan = plan;
    this.#options = options;
  }

  add(record: FileRecord, heading: string | null) {
    const { line } = record;
    if ("broken" in record)
      return this.report.addInvalid(line, record.broken, "This line has an unmatched quotation mark.");
    const { survey, answers } = this.#plan;
    const read = readRow(record.cells, { line, heading }, survey.layout, answers, this.#now);
    const { email } = read.row;
    if ((survey.chosen.get(keyOf(email)) ?? line) !== line) return this.report.addDouble(line, email);
    const status = stateOf(read, survey, answers);
    if (status === "doubtful") return this.report.addInvalid(line, email, whyNot(read, this.#plan));
    if (read.isDateUnread) this.report.counts.datesUnread++;
    this.#rows.push({ ...read.row, status });
    this.#characters += email.length;
  }

  get isFull() {
    return this.#rows.length === IMPORT_ROWS || this.#characters > MAX_CHARACTERS;
  }

  setProgress(part: number) {
    this.#part = part;
    this.#options.onProgress(part, this.report);
  }

  async send() {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    if (rows.length === 0) return;
    this.#options.signal.throwIfAborted();
    const emails = new Map(rows.map(({ line, email }) => [line, email]));
    const { items } = await this.#options.send({ ...this.#plan.about, rows });
    for (const result of items) this.report.addResult(result, emails.get(result.line) ?? "");
    this.#options.onProgress(this.#part, this.report);
  }
}

/** Why a line is left out. */
function whyNot({ doubts, mentions }: ReadRow, { survey, answers }: ImportPlan) {
  const others = mentions.filter((each) => survey.otherMentions.keys.has(doubtKey(each)));
  const doubt = [...doubts, ...others].find((each) => answers.words[doubtKey(each)] === undefined);
  if (!doubt) return "The file doesn’t say whether this person left, or ends within this line.";
  if (doubt.column === null) return `It’s below “${shownPart(doubt)}”.`;
  const name = survey.layout.nameOf(doubt.column);
  return doubt.word === ""
    ? `“${name}” is blank.`
    : `“${name}” says “${shownPart(doubt)}”, which isn’t known.`;
}
