import type { ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { useUnsaved } from "../../form/leaving.ts";
import type { QueuedWork } from "../queued.ts";
import { useWizard, type Progress, type Refusal, type SourceWork } from "./use-wizard.ts";

/** Something to move in from: its work, and what its steps show. */
export type Source<Input, Plan, Choice, Report> = SourceWork<Input, Plan, Choice, Report> & {
  choose: (props: { refusal: Refusal<Input> | null; onRead: (input: Input) => void }) => ReactNode;
  plan: (props: PlanProps<Input, Plan, Choice>) => ReactNode;
  report: (props: { report: Report; onAgain: () => void }) => ReactNode;
  /** What leaving stops, asked while it runs. */
  leaving: string;
  /** A note that is shown during the run. */
  note?: string;
  /** The buttons that end reading, and the run. */
  stop?: { read?: string; run?: string };
};

export type PlanProps<Input, Plan, Choice> = {
  plan: Plan;
  error: string | null;
  /** The input with which it is being read again; null if it is up to date. */
  readingAgain: Input | null;
  onReadAgain: (input: Input) => void;
  onRun: (choice: Choice) => void;
  onCancel: () => void;
};

type StepsProps<Input, Plan, Choice, Report> = {
  source: Source<Input, Plan, Choice, Report>;
  /** Read without a choice; leaving returns to the page before. */
  first?: Input;
  onLeave?: () => void;
};

/** From the choice to the report. */
export function Steps<Input, Plan, Choice, Report>({
  source,
  first,
  onLeave,
}: StepsProps<Input, Plan, Choice, Report>) {
  const { state, read, run, cancel, clear } = useWizard(source, first);
  const leave = onLeave ?? clear;
  switch (state.step) {
    case "choose":
      return source.choose({ refusal: state.refusal, onRead: (input) => void read(input) });
    case "read":
      return <Working {...state} stop={source.stop?.read} onStop={leave} />;
    case "plan":
      return source.plan({
        plan: state.plan,
        error: state.error,
        readingAgain: state.reading?.input ?? null,
        onReadAgain: (input) => void read(input, { again: true }),
        onRun: (choice) => void run(state.plan, choice),
        onCancel: leave,
      });
    case "run":
      return (
        <Working
          {...state}
          stop={source.stop?.run}
          onStop={cancel}
          leaving={source.leaving}
          work={source.work}
        >
          {source.note && <p className="text-sm text-muted">{source.note}</p>}
        </Working>
      );
    case "report":
      return source.report({ report: state.report, onAgain: leave });
  }
}

type WorkingProps = {
  progress: Progress;
  waiting: string | null;
  stop?: string;
  onStop: () => void;
  /** Asked before the owner leaves. */
  leaving?: string;
  work?: QueuedWork;
  children?: ReactNode;
};

/** A step that takes time, until it ends or is cancelled. */
export function Working({
  progress: { label, part, words, announced },
  waiting,
  stop = "Cancel",
  onStop,
  leaving,
  work = "import",
  children,
}: WorkingProps) {
  return (
    <div className="grid max-w-3xl gap-4">
      {part === null ? (
        <p role="status">{words}</p>
      ) : (
        <>
          <ProgressBar value={part} label={label} />
          <p className="figures">{words}</p>
          <p role="status" className="sr-only">
            {announced}
          </p>
        </>
      )}
      <p role="alert" className="font-medium text-danger empty:hidden">
        {waiting}
      </p>
      {children}
      <div>
        <Button onClick={onStop}>{stop}</Button>
      </div>
      {leaving && (
        <LeaveQuestion title={`Stop the ${work}?`} confirm="Stop and leave">
          {leaving}
        </LeaveQuestion>
      )}
    </div>
  );
}

type LeaveProps = { title: string; confirm: string; children: string };

/** Asks before leaving the page if something other than a form would be lost. */
function LeaveQuestion({ title, confirm, children: text }: LeaveProps) {
  useUnsaved(true, { title, confirm, text });
  return null;
}
