import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { LeaveQuestion } from "../../form/leave-question.tsx";
import type { BatchState } from "./use-batch.ts";

const what = { reading: "files read", comparing: "articles compared", writing: "articles written" };

type Props = Extract<BatchState, { is: "working" }> & { onCancel: () => void };

export function Working({ at, done, total, waiting, onCancel }: Props) {
  const progress = total === 0 ? 0 : done / total;
  const percent = Math.floor(progress * 100);
  return (
    <div className="grid max-w-3xl gap-4">
      <ProgressBar value={progress} label={what[at]} />
      <p className="tabular-nums">
        {`${done.toLocaleString("en")} of ${total.toLocaleString("en")} ${what[at]}`}
      </p>
      {/* Each tenth is read out. */}
      <p role="status" className="sr-only">
        {`${percent - (percent % 10)} % of the ${what[at]}`}
      </p>
      <p role="alert" className="font-medium text-danger empty:hidden">
        {waiting}
      </p>
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
      {at === "writing" && (
        <LeaveQuestion title="Stop the import?" confirm="Stop and leave">
          What has been written is saved. Choose the same files again to continue: nothing is written twice.
        </LeaveQuestion>
      )}
    </div>
  );
}
