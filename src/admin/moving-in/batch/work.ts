import { ApiError } from "#site/api.ts";
import { counted } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import type { Category } from "#worker/articles/contract.ts";
import { toast } from "../../shell/toast.tsx";
import { bringCategories } from "../bring-categories.ts";
import { countOf, type SourceWork, type Tools } from "../wizard/use-wizard.ts";
import { isDue, missingCategories, outcomeOf, withoutMissing, type BatchRow } from "./items.ts";
import { isReadable, sendRows } from "./send.ts";

export type BatchChoice = { rows: BatchRow[]; createsCategories: boolean };
/** `stopped`: why some were not written; null if all were. */
export type BatchReport = { rows: BatchRow[]; stopped: string | null };

const readers = lazyImport(() => import("./read-batch.client.ts"));
const converter = lazyImport(() => import("../to-markdown.ts"));

type BatchTools = Tools<BatchRow[]>;

/** A batch of files: parsed and compared with the articles here, then written. */
export const batchWork = (
  categories: Category[],
  timeZone: string,
): SourceWork<File[], BatchRow[], BatchChoice, BatchReport> => ({
  begin: countOf("files read", 0, 0),
  wordsOf,
  async read(files, tools) {
    const { signal, show } = tools;
    const onProgress = (done: number) => show(countOf("files read", done, files.length));
    onProgress(0);
    const { readBatch } = await readers();
    const toMarkdown = async (html: string) => (await converter()).htmlToMarkdown(html);
    const items = await readBatch(files, { timeZone, signal, onProgress, toMarkdown });
    const unsent = items.map((item) => ({ ...item, result: null }));
    const { rows, failure } = await send(unsent, tools, { isDryRun: true });
    if (failure) throw failure;
    return rows;
  },
  /** Updates and inserts the planned articles. Missing categories are created first, or left out. */
  async run(_, { rows, createsCategories }, tools) {
    const { signal, show, until } = tools;
    const due = rows.filter(isDue);
    show(countOf("articles written", 0, due.length));
    const missing = createsCategories ? missingCategories(due).map(({ name }) => ({ name })) : [];
    const notBrought = await failureOf(bringCategories(missing, categories, until));
    const { rows: written, failure } =
      notBrought === null
        ? await send(createsCategories ? due : due.map(withoutMissing), tools, { isDryRun: false })
        : { rows: due.map((row) => ({ ...row, result: null })), failure: notBrought };
    const outcomes = new Map(written.map((row) => [row.key, row.result ? row : notWritten(row)]));
    const all = rows.map((row) => outcomes.get(row.key) ?? row);
    if (failure && !signal.aborted) toast.error(failureTitle(failure));
    else if (!signal.aborted) tell(all);
    return { rows: all, stopped: stopOf(signal, failure) };
  },
});

/** Sends the readable rows, and returns all rows with their results. */
async function send(
  rows: BatchRow[],
  { signal, until, show }: BatchTools,
  { isDryRun }: { isDryRun: boolean },
) {
  const answered = new Map<number, BatchRow>();
  const total = rows.filter(isReadable).length;
  const what = isDryRun ? "articles compared" : "articles written";
  show(countOf(what, 0, total));
  const onAnswer = (part: BatchRow[]) => {
    for (const row of part) answered.set(row.key, row);
    show(countOf(what, answered.size, total));
  };
  const failure = await failureOf(sendRows(rows, { isDryRun, signal, until, onAnswer }));
  return { rows: rows.map((row) => answered.get(row.key) ?? { ...row, result: null }), failure };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error ?? new Error("unknown"),
  );

/** For rows after the point at which the update ended. */
const notWritten = (row: BatchRow): BatchRow => ({ ...row, problem: "Not written." });

function tell(rows: BatchRow[]) {
  const failed = rows.filter((row) => outcomeOf(row) === "refused").length;
  const words = `${counted(rows.filter(isDue).length, "article")} successful, ${failed} failed`;
  if (failed === 0) toast.success(words);
  else toast.error(words);
}

/** The server refused, or did not respond. */
const failureTitle = (failure: unknown) =>
  failure instanceof ApiError ? "Failed to update articles" : "Error updating articles";

function stopOf(signal: AbortSignal, failure: unknown) {
  if (signal.aborted) return "The update was cancelled.";
  return failure ? `${failureTitle(failure)}: ${wordsOf(failure)}` : null;
}

function wordsOf(error: unknown) {
  console.error(error);
  return error instanceof Error && error.message ? error.message : "Something went wrong. Please try again.";
}
