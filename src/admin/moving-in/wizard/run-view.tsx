import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { ButtonRow } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { formatSize } from "../../files/format.ts";
import { ActionButton } from "../../form/form.tsx";
import { ConfirmAction } from "../../lists/confirm-action.tsx";
import { sentence, type QueuedWork } from "../queued.ts";
import { turnsOf } from "../state-names.ts";
import { Figures } from "./plan-view.tsx";

type Props = {
  progress: ImportProgress;
  /** What its items are: "episodes". */
  noun: string;
  work?: QueuedWork;
  /** What the actions send besides. */
  values?: Record<string, string>;
  /** Whether items that failed are tried again here. */
  hasRetry?: boolean;
  /** What cancelling leaves. */
  children: ReactNode;
};

/** The progress of an import on the queue, with its controls. The page may be closed and opened again at any time. */
export function RunView({ progress, noun, work = "import", values, hasRetry = true, children }: Props) {
  const { state, counts, undoneAt } = progress;
  const isUndo = undoneAt !== null;
  const stop = isUndo ? "Stop undoing" : `Cancel the ${work}`;
  const isBusy = useNavigation().state === "submitting";
  const isOpen = state === "running" || state === "paused";
  return (
    <>
      <Progress progress={progress} noun={noun} work={work} />
      <ButtonRow>
        {/* One button, so that the pressed one keeps the focus. */}
        {isOpen && (
          <ActionButton
            intent={state === "paused" ? "resume" : "pause"}
            values={values}
            tone={state === "paused" ? "primary" : undefined}
          >
            {state === "paused" ? "Resume" : "Pause"}
          </ActionButton>
        )}
        {hasRetry && counts.failed > 0 && state !== "cancelled" && (
          <ActionButton
            intent="retry"
            values={values}
          >{`Retry failed (${counts.failed.toLocaleString("en")})`}</ActionButton>
        )}
        {isOpen && (
          <ConfirmAction
            intent="cancel"
            values={values}
            label={stop}
            title={isUndo ? "Stop undoing this import?" : `Cancel this ${work}?`}
            confirm={stop}
            busy={isBusy}
          >
            {isUndo ? "What is deleted stays deleted; the rest stays here." : children}
          </ConfirmAction>
        )}
      </ButtonRow>
      {state === "running" && (
        <p className="text-sm text-muted">
          {`You can close this page: ${isUndo ? "the deletion" : `the ${work}`} continues without it.`}
        </p>
      )}
    </>
  );
}

/** How many items of an import had their turn. */
function Progress({ progress, noun, work }: Pick<Props, "progress" | "noun"> & { work: QueuedWork }) {
  const { state, counts, bytes, pausedReason, undoneAt } = progress;
  const isUndo = undoneAt !== null;
  const had = turnsOf(progress);
  const part = counts.total === 0 ? 0 : had / counts.total;
  const words = `${had.toLocaleString("en")} of ${counts.total.toLocaleString("en")} ${noun}`;
  return (
    <section aria-label="Progress" className="grid gap-3">
      {state !== "done" && (
        <ProgressBar label={`${isUndo ? "Undo" : sentence(work)}: ${words}`} value={part} className="h-2" />
      )}
      <p className="text-sm figures">
        <span>{words}</span>
        {bytes.moved > 0 && <span>{`, ${formatSize(bytes.moved)} moved`}</span>}
        {state === "paused" && <span>{". The rest is waiting."}</span>}
      </p>
      {/* Each tenth is read out, and the end. */}
      <p role="status" className="sr-only">
        {isUndo
          ? saidOfUndo(state, Math.floor(part * 10) * 10, noun)
          : said(state, Math.floor(part * 10) * 10, noun, work)}
      </p>
      <Figures
        figures={[
          ...(isUndo ? ([["Deleted again", counts.undone]] as const) : []),
          [isUndo ? "Stayed" : "Done", counts.done],
          // A step of a restore that fails pauses it, and waits.
          ...(work === "restore"
            ? []
            : ([
                ["Left out", counts.skipped],
                ["Failed", counts.failed, counts.failed > 0 ? "danger" : undefined],
              ] as const)),
          ["Waiting", Math.max(0, counts.total - had)],
        ]}
      />
      {pausedReason && (
        <p className="border-l-4 border-signal pl-3 text-sm wrap-anywhere">{`Stopped: ${pausedReason}`}</p>
      )}
    </section>
  );
}

function said(state: ImportProgress["state"], percent: number, noun: string, work: QueuedWork) {
  if (state === "running") return `${percent} % of the ${noun} processed`;
  if (state === "paused") return `The ${work} is paused`;
  return state === "done" ? `The ${work} is complete` : `The ${work} was cancelled`;
}

function saidOfUndo(state: ImportProgress["state"], percent: number, noun: string) {
  if (state === "running") return `${percent} % of the ${noun} processed`;
  if (state === "paused") return "Undoing is paused";
  return state === "done" ? "The import is undone" : "Undoing was stopped";
}
