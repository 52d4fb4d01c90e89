import { useEffect, useEffectEvent, useRef } from "react";
import { useNavigation } from "react-router";
import { ButtonRow } from "#site/ui/button.tsx";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { ConfirmAction } from "../../lists/confirm-action.tsx";
import { ActionButton } from "../../form/form.tsx";
import { turnsOf } from "../state-names.ts";
import { Progress } from "../progress.tsx";
import { useImportProgress } from "../use-import-progress.ts";

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
  const isBusy = useNavigation().state === "submitting";
  if (state !== "running" && state !== "paused") return null;
  const values = { import: String(id) };
  return (
    <section aria-labelledby="import-underway" className="grid max-w-3xl gap-4">
      <h2 id="import-underway" className="text-lg font-semibold">
        {state === "running" ? "The import is running" : "The import is paused"}
      </h2>
      <Progress progress={progress} noun="posts" />
      <ButtonRow>
        {state === "running" ? (
          <ActionButton intent="pause" values={values}>
            Pause
          </ActionButton>
        ) : (
          <ActionButton intent="resume" values={values} tone="primary">
            Resume
          </ActionButton>
        )}
        <ConfirmAction
          intent="cancel"
          values={values}
          label="Cancel the import"
          title="Cancel this import?"
          confirm="Cancel the import"
          busy={isBusy}
        >
          Posts already imported stay; you can import the rest later.
        </ConfirmAction>
      </ButtonRow>
      {state === "running" && (
        <p className="text-sm text-muted">You can close this page: the import continues without it.</p>
      )}
    </section>
  );
}

/** Tells each time an import moved on since it was first seen, and of its end. */
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
