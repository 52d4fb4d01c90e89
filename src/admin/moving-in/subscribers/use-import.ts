import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { Report } from "./report.ts";
import { sendUntilAnswered } from "../retry.ts";
import { runImport, type ImportPlan } from "./run.ts";

export type ImportState =
  | { is: "running"; part: number; counts: Report["counts"] | null; waiting: string | null }
  | {
      is: "done";
      report: Report;
      /** Why it ended before the file did. */
      stopped: string | null;
      /** Of the mails that ask the pending ones to confirm. */
      asking: "not" | "underway" | "asked" | "failed";
    };

/** An import while it runs and what became of it; null before. */
export function useImport() {
  const [state, setState] = useState<ImportState | null>(null);
  const control = useRef<AbortController>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => () => control.current?.abort(), []);

  const ask = async (plan: ImportPlan) => {
    setState((now) => (now?.is === "done" ? { ...now, asking: "underway" } : now));
    const json = { importId: plan.about.importId };
    const isAsked = await ensureOk(api.subscribers.import.ask.$post({ json })).then(
      () => true,
      (error: unknown) => {
        console.error(error);
        return false;
      },
    );
    setState((now) => (now?.is === "done" ? { ...now, asking: isAsked ? "asked" : "failed" } : now));
  };

  const start = async (plan: ImportPlan, { asksPending }: { asksPending: boolean }) => {
    const { signal } = (control.current = new AbortController());
    let report = new Report();
    const update = (change: Partial<Extract<ImportState, { is: "running" }>>) =>
      setState((now) => (now?.is === "running" ? { ...now, ...change } : now));
    setState({ is: "running", part: 0, counts: null, waiting: null });
    const stopped = await runImport(plan, {
      signal,
      send: (json) =>
        sendUntilAnswered(() => readJson(api.subscribers.import.$post({ json })), {
          signal,
          onWaiting: (waiting) => update({ waiting }),
        }),
      onProgress(part, latest) {
        report = latest;
        update({ part, counts: { ...latest.counts } });
      },
    }).then(
      (latest) => {
        report = latest;
        return signal.aborted ? CANCELLED : null;
      },
      (error: unknown) => (signal.aborted ? CANCELLED : wordsOf(error)),
    );
    setState({ is: "done", report, stopped, asking: "not" });
    void revalidate();
    if (asksPending && stopped === null && report.counts.pending > 0) await ask(plan);
  };

  return { state, start, ask, cancel: () => control.current?.abort(), clear: () => setState(null) };
}

const CANCELLED = "Import cancelled. Subscribers already added stay.";

function wordsOf(error: unknown) {
  console.error(error);
  return `The import stopped: ${error instanceof Error ? error.message : "something went wrong."} Subscribers already added stay.`;
}
