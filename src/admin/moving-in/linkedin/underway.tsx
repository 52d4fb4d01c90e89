import { useEffect, useEffectEvent, useRef } from "react";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { turnsOf } from "../state-names.ts";
import { useImportProgress } from "../use-import-progress.ts";
import { RunView } from "../wizard/run-view.tsx";

type Props = {
  loaded: ImportProgress;
  /** Whether this page started it: it may have ended before it was seen. */
  isOurs: boolean;
  onMoved: (progress: ImportProgress) => Promise<void>;
};

/** The import that runs, or waits, with what can be done with it; nothing of one that has ended. */
export function Underway({ loaded, isOurs, onMoved }: Props) {
  const progress = useImportProgress(loaded);
  const { id, state } = progress;
  useMoves(progress, isOurs, onMoved);
  if (state !== "running" && state !== "paused") return null;
  return (
    <section aria-labelledby="import-underway" className="grid max-w-3xl gap-4">
      <h2 id="import-underway" className="text-lg font-semibold">
        {headings[progress.undoneAt === null ? "import" : "undo"][state]}
      </h2>
      <RunView progress={progress} noun="posts" values={{ import: String(id) }} hasRetry={false}>
        Posts already imported stay; you can import the rest later.
      </RunView>
    </section>
  );
}

const headings = {
  import: { running: "The import is running", paused: "The import is paused" },
  undo: { running: "The import is being undone", paused: "Undoing is paused" },
};

/** Calls `onMoved` each time an import has progressed since it was first seen, and when it ends. */
function useMoves(progress: ImportProgress, isOurs: boolean, onMoved: Props["onMoved"]) {
  const { state } = progress;
  const turns = turnsOf(progress);
  const hasEnded = state === "done" || state === "cancelled";
  const before = useRef(hasEnded && !isOurs ? "ended" : "");
  const tell = useEffectEvent(() => {
    void onMoved(progress).catch((error: unknown) => console.error(error));
  });
  useEffect(() => {
    const now = hasEnded ? "ended" : `${turns}`;
    if (now === before.current) return;
    before.current = now;
    tell();
  }, [turns, hasEnded]);
}
