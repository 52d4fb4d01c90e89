import { useId, useState, type ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { ownControls } from "./model-job.ts";

type Props<Panel> = {
  title: string;
  /** While the panel is read for the first time. */
  looking: string;
  job: { panel: Panel | undefined; error: string | undefined; look: () => void };
  children: (panel: Panel) => ReactNode;
};

/** The section of an episode's form for a model's work. */
export function ModelPanel<Panel>({ title, looking, job, children }: Props<Panel>) {
  const heading = useId();
  const { panel, error, look } = job;
  return (
    <section aria-labelledby={heading} className="grid gap-3 border border-rule p-4" {...ownControls}>
      <h3 id={heading} className="text-base font-semibold">
        {title}
      </h3>
      {!panel && !error && (
        <p role="status" className="text-sm text-muted">
          {looking}
        </p>
      )}
      {error && (
        <p role="alert" className="text-sm font-medium wrap-anywhere text-danger">
          {error}
        </p>
      )}
      {!panel && error && (
        <Button size="sm" className="justify-self-start" onClick={look}>
          Try again
        </Button>
      )}
      {panel && children(panel)}
    </section>
  );
}

type Troubled = { problem: string | null; retryAt: number | null };

/** Why it waits or has stopped, and when it continues. */
export function JobProblem({ problem, retryAt }: Troubled) {
  if (!problem) return null;
  return (
    <p role="status" className="text-sm font-medium wrap-anywhere">
      <span>{`${problem} `}</span>
      {retryAt !== null && (
        <>
          <span>Next try </span>
          <DateTime at={retryAt} format={formatDateTime} />
        </>
      )}
    </p>
  );
}

type DiscardProps = {
  job: { busy: string | undefined; discard: () => Promise<unknown> };
  /** Discarding a running one ends it. */
  isRunning: boolean;
  title: string;
  children: ReactNode;
};

/** The button that discards a model's work, after a question. */
export function DiscardJob({ job: { busy, discard }, isRunning, title, children }: DiscardProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" tone="bare" busy={busy === "discard"} onClick={() => setOpen(true)}>
        {isRunning ? "Stop" : "Discard"}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={title}
        confirm={isRunning ? "Stop and discard" : "Discard"}
        tone="danger"
        onConfirm={() => {
          setOpen(false);
          void discard();
        }}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}
