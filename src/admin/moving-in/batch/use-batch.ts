import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { ApiError } from "#site/api.ts";
import type { Category } from "#worker/articles/contract.ts";
import { counted } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLocale } from "#site/ui/locale.ts";
import { toast } from "../../shell/toast.tsx";
import { bringCategories } from "../bring-categories.ts";
import { sendUntilAnswered } from "../retry.ts";
import { isDue, missingCategories, outcomeOf, withoutMissing, type BatchRow } from "./items.ts";
import { isReadable, sendRows } from "./send.ts";

export type BatchState =
  | { is: "choosing"; error: string | null }
  | {
      is: "working";
      at: "reading" | "comparing" | "writing";
      done: number;
      total: number;
      waiting: string | null;
    }
  | { is: "compared"; rows: BatchRow[] }
  | { is: "done"; rows: BatchRow[]; stopped: string | null };

const readers = lazyImport(() => import("./read-batch.ts"));
const converter = lazyImport(() => import("../to-markdown.ts"));

/** A batch of files, from their choice to what became of each article. */
export function useBatch(categories: Category[]) {
  const [state, setState] = useState<BatchState>({ is: "choosing", error: null });
  const control = useRef<AbortController>(null);
  const { timeZone } = useLocale();
  const { revalidate } = useRevalidator();
  useEffect(() => () => control.current?.abort(), []);

  const begin = () => (control.current = new AbortController()).signal;
  const working = (change: Omit<Extract<BatchState, { is: "working" }>, "is" | "waiting">) =>
    setState((now) => ({ is: "working", waiting: now.is === "working" ? now.waiting : null, ...change }));
  const onWaiting = (waiting: string | null) =>
    setState((now) => (now.is === "working" ? { ...now, waiting } : now));

  /** Sends the readable ones of the rows, and answers all of them with what became of each. */
  const send = async (rows: BatchRow[], signal: AbortSignal, isDryRun: boolean) => {
    const answered = new Map<number, BatchRow>();
    const total = rows.filter(isReadable).length;
    const at = isDryRun ? ("comparing" as const) : ("writing" as const);
    working({ at, done: 0, total });
    const failure = await sendRows(rows, {
      isDryRun,
      signal,
      onWaiting,
      onAnswer(part) {
        for (const row of part) answered.set(row.key, row);
        working({ at, done: answered.size, total });
      },
    }).catch((error: unknown) => error ?? new Error("unknown"));
    return { rows: rows.map((row) => answered.get(row.key) ?? { ...row, result: null }), failure };
  };

  const choose = async (files: File[]) => {
    const signal = begin();
    setState({ is: "working", at: "reading", done: 0, total: files.length, waiting: null });
    try {
      const { readBatch } = await readers();
      const items = await readBatch(files, {
        timeZone,
        signal,
        onProgress: (done) => working({ at: "reading", done, total: files.length }),
        toMarkdown: async (html) => (await converter()).htmlToMarkdown(html),
      });
      const unsent = items.map((item) => ({ ...item, result: null }));
      const { rows, failure } = await send(unsent, signal, true);
      if (failure) throw failure;
      signal.throwIfAborted();
      setState({ is: "compared", rows });
    } catch (error) {
      setState({ is: "choosing", error: signal.aborted ? null : wordsOf(error) });
    }
  };

  /** Updates and inserts the planned articles. Missing categories are created first, or left out. */
  const run = async (rows: BatchRow[], createsCategories: boolean) => {
    const signal = begin();
    const due = rows.filter(isDue);
    const until = <T>(ask: () => Promise<T>) => sendUntilAnswered(ask, { signal, onWaiting });
    working({ at: "writing", done: 0, total: due.length });
    const notBrought = createsCategories
      ? await bringCategories(
          missingCategories(due).map(({ name }) => ({ name })),
          categories,
          until,
        ).then(
          () => null,
          (error: unknown) => error ?? new Error("unknown"),
        )
      : null;
    const { rows: written, failure } =
      notBrought === null
        ? await send(createsCategories ? due : due.map(withoutMissing), signal, false)
        : { rows: due.map((row) => ({ ...row, result: null })), failure: notBrought };
    const outcomes = new Map(written.map((row) => [row.key, row.result ? row : notWritten(row)]));
    const all = rows.map((row) => outcomes.get(row.key) ?? row);
    if (failure && !signal.aborted) toast.error(failureTitle(failure));
    else if (!signal.aborted) tell(all);
    setState({ is: "done", rows: all, stopped: stopOf(signal, failure) });
    void revalidate();
  };

  return {
    state,
    choose,
    run,
    cancel: () => control.current?.abort(),
    clear: () => setState({ is: "choosing", error: null }),
  };
}

/** The update ended before its turn. */
const notWritten = (row: BatchRow): BatchRow => ({ ...row, problem: "Not written." });

function tell(rows: BatchRow[]) {
  const failed = rows.filter((row) => outcomeOf(row) === "refused").length;
  const words = `${counted(rows.filter(isDue).length, "article")} successful, ${failed} failed`;
  if (failed === 0) toast.success(words);
  else toast.error(words);
}

/** The server refused, or nobody answered. */
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
