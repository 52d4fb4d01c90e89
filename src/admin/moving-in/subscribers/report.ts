import Papa from "papaparse";
import { FORMULA, plainCell } from "#worker/platform/http/csv-cells.ts";
import type { ImportOutcome, ImportResult, SubscriberState } from "#worker/newsletter/contract.ts";

/** Lines of the file by result. */
export type Counts = {
  lines: number;
  confirmed: number;
  pending: number;
  /** Added as left or bounced, so that they get no emails. */
  blocked: number;
  known: number;
  /** Already here, not confirmed yet. */
  unconfirmed: number;
  /** Already here, and had left, bounced or complained. */
  left: number;
  double: number;
  /** Subscribed here, and now unsubscribed, because the file says that they left. */
  removed: number;
  /** No address, broken quotation marks, or no clear status. */
  invalid: number;
  /** Imported without a date that could not be read. */
  datesUnread: number;
};

export type Problem = { line: number; text: string; what: string };

/** Lines that the report lists; further ones are only counted. */
export const MAX_PROBLEMS = 50_000;

export class Report {
  readonly counts: Counts = {
    lines: 0,
    confirmed: 0,
    pending: 0,
    blocked: 0,
    known: 0,
    unconfirmed: 0,
    left: 0,
    double: 0,
    removed: 0,
    invalid: 0,
    datesUnread: 0,
  };
  readonly #problems: Problem[] = [];
  /** Problems that are only counted. */
  unnamed = 0;

  addInvalid(line: number, text: string, what: string) {
    this.counts.lines++;
    this.counts.invalid++;
    this.#name({ line, text, what });
  }

  addDouble(line: number, text: string) {
    this.counts.lines++;
    this.counts.double++;
    this.#name({ line, text, what: DOUBLE });
  }

  addResult({ line, outcome }: ImportResult, email: string) {
    this.counts.lines++;
    this.counts[countOf(outcome)]++;
    const what = problemOf(outcome);
    if (what !== null) this.#name({ line, text: email, what });
  }

  #name(problem: Problem) {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
    else this.unnamed++;
  }

  /** The problems by line: problems that the server finds are added after those that the page finds. */
  inOrder() {
    return this.#problems.toSorted((a, b) => a.line - b.line);
  }

  /** As CSV, for a spreadsheet. */
  toCsv() {
    const rows = this.inOrder().map(({ line, text, what }) => [String(line), plainCell(text), what]);
    return `\ufeff${Papa.unparse([["line", "address", "result"], ...rows], { escapeFormulae: FORMULA })}\r\n`;
  }
}

function countOf(outcome: ImportOutcome): keyof Counts {
  if (outcome.kind !== "added" && outcome.kind !== "known") return outcome.kind;
  const isAdded = outcome.kind === "added";
  switch (outcome.state) {
    case "confirmed":
      return isAdded ? "confirmed" : "known";
    case "pending":
      return isAdded ? "pending" : "unconfirmed";
    default:
      return isAdded ? "blocked" : "left";
  }
}

const DOUBLE = "Another line has the same address.";

/** Null if the file's data was used unchanged. */
function problemOf(outcome: ImportOutcome) {
  switch (outcome.kind) {
    case "added":
      return null;
    case "double":
      return DOUBLE;
    case "removed":
      return `Was subscribed here. Now ${outcome.state}, as the file says.`;
    case "known":
      return known[outcome.state];
    case "invalid":
      return outcome.why;
  }
}

const known: Record<SubscriberState, string> = {
  confirmed: "Already subscribed. Unchanged.",
  pending: "Already here, not confirmed yet. Unchanged.",
  unsubscribed: "Unsubscribed here earlier. Gets no letters.",
  bounced: "Letters to it bounced earlier. Gets no letters.",
  complained: "Marked a letter as spam earlier. Gets no letters.",
};
