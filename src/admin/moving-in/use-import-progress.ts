import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { api, readJson } from "#site/api.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { turnsOf } from "./state-names.ts";

/** Milliseconds between two looks. */
const INTERVAL = 2000;
/** Looks between which the list of items is read again while the import runs. */
const LIST_EVERY = 5;

/** The progress of an import, requested again while it runs; the page's own data is reloaded from time to time. */
export function useImportProgress(loaded: ImportProgress): ImportProgress {
  const { revalidate } = useRevalidator();
  const [seen, setSeen] = useState<ImportProgress | null>(null);
  const { id } = loaded;
  const isRunning = loaded.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    let isOver = false;
    let looks = 0;
    const look = async () => {
      // A lost connection is not shown: the next request may succeed.
      const answer = await readJson(api.imports[":id"].$get({ param: { id: String(id) } })).catch(() => null);
      if (isOver || !answer) return;
      setSeen(answer);
      if (answer.state !== "running" || ++looks % LIST_EVERY === 0) void revalidate();
    };
    const timer = setInterval(() => void look(), INTERVAL);
    return () => {
      isOver = true;
      clearInterval(timer);
      setSeen(null);
    };
  }, [id, isRunning, revalidate]);
  // The page may have loaded a later one.
  return seen && turnsOf(seen) >= turnsOf(loaded) ? seen : loaded;
}
