import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { LeaveQuestion } from "../../form/leave-question.tsx";
import type { Counts } from "./report.ts";

type Props = {
  /** 0 to 1. */
  progress: number;
  counts: Counts | null;
  waiting: string | null;
  onCancel: () => void;
};

export function Running({ progress, counts, waiting, onCancel }: Props) {
  const added = counts ? counts.confirmed + counts.pending + counts.blocked : 0;
  const percent = Math.floor(progress * 100);
  return (
    <div className="grid max-w-3xl gap-4">
      <ProgressBar value={progress} label="Import" />
      <p className="tabular-nums">
        <span>{percent}</span> %, <span>{(counts?.lines ?? 0).toLocaleString("en")}</span> lines read,{" "}
        <span>{added.toLocaleString("en")}</span> added
      </p>
      {/* Each tenth is read out. */}
      <p role="status" className="sr-only">
        {`${percent - (percent % 10)} % is imported`}
      </p>
      <p role="alert" className="font-medium text-danger empty:hidden">
        {waiting}
      </p>
      <p className="text-sm text-muted">Keep this page open until it’s done.</p>
      <div>
        <Button onClick={onCancel}>Cancel the import</Button>
      </div>
      <LeaveQuestion title="Stop the import?" confirm="Stop and leave">
        Subscribers already added stay. You can import the rest later with the same file.
      </LeaveQuestion>
    </div>
  );
}
