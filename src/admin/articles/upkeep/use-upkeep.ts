import { useEffect, useRef, useState } from "react";
import { ApiError, api, readJson } from "#site/api.ts";
import type { UpkeepItem, UpkeepSlice } from "#worker/articles/contract.ts";
import { sendUntilAnswered } from "../../moving-in/retry.ts";
import { toast } from "../../shell/toast.tsx";

export type Task = "reading-time" | "all" | "check";

export type UpkeepState = {
  task: Task;
  isRunning: boolean;
  done: number;
  changed: number;
  /** What is wrong with articles. */
  found: UpkeepItem[];
  /** Why it waits, or ended early. */
  problem: string | null;
};

const slice = (task: Task, after: number): Promise<UpkeepSlice> =>
  task === "check"
    ? readJson(api.articles.check.$post({ json: { after } }))
    : readJson(api.articles.render.$post({ json: { after, part: task } }));

/** Processes all articles, several a request; one task at a time. */
export function useUpkeep() {
  const [state, setState] = useState<UpkeepState | null>(null);
  const control = useRef<AbortController>(null);
  useEffect(() => () => control.current?.abort(), []);

  const run = async (task: Task) => {
    const { signal } = (control.current = new AbortController());
    const update = (change: (now: UpkeepState) => Partial<UpkeepState>) =>
      setState((now) => now && { ...now, ...change(now) });
    setState({ task, isRunning: true, done: 0, changed: 0, found: [], problem: null });
    try {
      for (let after: number | null = 0; after !== null;) {
        const from: number = after;
        const { items, next } = await sendUntilAnswered(() => slice(task, from), {
          signal,
          onWaiting: (problem) => update(() => ({ problem })),
        });
        update(({ done, changed, found }) => ({
          done: done + items.length,
          changed: changed + items.filter(({ isChanged }) => isChanged).length,
          found: [...found, ...items.filter(({ findings }) => findings.length > 0)],
        }));
        after = next;
      }
      update(() => ({ isRunning: false }));
    } catch (error) {
      if (!signal.aborted) tell(error);
      update(() => ({ isRunning: false, problem: signal.aborted ? "Cancelled." : wordsOf(error) }));
    }
  };

  return { state, run, cancel: () => control.current?.abort() };
}

function tell(error: unknown) {
  console.error(error);
  toast.error(error instanceof ApiError ? "Failed to update articles" : "Error updating articles");
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : "Something went wrong.");
