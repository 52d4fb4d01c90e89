import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { Publication } from "#worker/publications/contract.ts";
import { goToPart } from "../go-to.ts";
import { takeAwaited } from "./awaited-publication.ts";
import { SharePanel } from "./share.tsx";
import { StepRow } from "./step.tsx";
import { useFollowUps, type Item } from "./use-follow-ups.ts";

type Props = Item & { publication: Publication };

/** When an item went out, what followed, and what to tell others with. Open while that is news. */
export function PublicationPanel({ publication, kind, id }: Props) {
  const { wentOutAt, isPlanned, isRecent } = publication;
  const [isOpen, setOpen] = useState(isRecent);
  const region = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takeAwaited(kind, id)) goToPart(heading.current?.closest("section") ?? null, heading.current);
  }, [kind, id]);
  return (
    <section aria-label="Publication" className="mb-8 scroll-mt-6 border-y border-rule py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="text-sm font-normal">
          <span>{isPlanned ? "Published as scheduled on " : "Published on "}</span>
          <DateTime at={wentOutAt} format={formatDateTime} className="font-medium" />
        </h2>
        <Button
          size="sm"
          aria-expanded={isOpen}
          aria-controls={region}
          onClick={() => setOpen((wasOpen) => !wasOpen)}
        >
          After publishing
          <ChevronDown aria-hidden size={16} className={cx("transition-transform", isOpen && "rotate-180")} />
        </Button>
      </div>
      <div id={region}>{isOpen && <FollowUpList kind={kind} id={id} />}</div>
    </section>
  );
}

function FollowUpList(item: Item) {
  const { found, isLooking, hasFailed, look, retryPing } = useFollowUps(item);
  const steps = found?.steps ?? [];
  const due = steps.filter(({ state }) => state !== "none");
  const count = due.filter(({ state }) => state === "done").length;
  return (
    <div className="grid gap-6 pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p aria-live="polite" className="text-sm text-muted">
          {hasFailed
            ? "Couldn’t check just now."
            : found
              ? `${count} of ${due.length} done.`
              : "Checking where it appears…"}
        </p>
        <Button size="sm" tone="bare" busy={isLooking} onClick={look}>
          Check again
        </Button>
      </div>
      {found && (
        <ol className="border-t border-rule">
          {steps.map((step) => (
            <StepRow key={step.name} item={item} step={step} onRetry={retryPing} />
          ))}
        </ol>
      )}
      {found && <SharePanel {...found.share} />}
    </div>
  );
}
