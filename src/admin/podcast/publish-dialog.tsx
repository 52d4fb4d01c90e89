import { useState } from "react";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import type { PublishProblem } from "#worker/episodes/contract.ts";

type Props = { problems: PublishProblem[]; isScheduled: boolean; onPublish: () => void };

/** Shows what podcast apps would reject or miss, once, before an episode is published. */
export function PublishDialog({ problems, isScheduled, onPublish }: Props) {
  const [read, setRead] = useState<PublishProblem[]>();
  return (
    <ConfirmDialog
      open={problems.length > 0 && read !== problems}
      onOpenChange={(open) => !open && setRead(problems)}
      title="Before you publish"
      confirm={isScheduled ? "Schedule anyway" : "Publish anyway"}
      tone="primary"
      onConfirm={() => {
        setRead(problems);
        onPublish();
      }}
    >
      <p>Podcast apps may have trouble with this:</p>
      <ul className="mt-3 grid gap-2 text-ink">
        {problems.map(({ level, message }) => (
          <li
            key={message}
            className={`border-l-2 pl-3 ${level === "error" ? "border-danger" : "border-edge"}`}
          >
            {message}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
