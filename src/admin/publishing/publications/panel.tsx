import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { LetterSummary } from "#worker/letters/contract.ts";
import type { FollowUps, Publication } from "#worker/publications/contract.ts";
import { goToPart } from "../../shell/go-to.ts";
import { isAwaited, takeAwaited } from "./awaited-publication.ts";
import { Clips } from "./clips.tsx";
import { LetterButton } from "./letter-button.tsx";
import { LinkRow, SharePanel } from "./share.tsx";
import { StepRow } from "./step.tsx";
import { placesIn, toListIn } from "./summary.ts";
import { useFollowUps, type Item } from "./use-follow-ups.ts";

type Props = Item & {
  publication: Publication;
  /** The letter made from the item; undefined for users who may not write letters. */
  letter: Pick<LetterSummary, "id" | "status"> | null | undefined;
};

/** When an item was published, its address, and texts for sharing. Open right after the publication. */
export function PublicationPanel({ publication, letter, kind, id }: Props) {
  const { wentOutAt, isPlanned } = publication;
  const [isNews] = useState(() => isAwaited(kind, id));
  const [isOpen, setOpen] = useState(isNews);
  const region = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takeAwaited(kind, id)) goToPart(heading.current?.closest("section") ?? null, heading.current);
  }, [kind, id]);
  return (
    <section
      aria-label="Publication"
      data-open={isOpen || undefined}
      className="mb-8 scroll-mt-6 border-y border-rule py-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="grid gap-1">
          <h2
            ref={heading}
            tabIndex={-1}
            className={isNews ? "text-lg font-semibold outline-offset-4" : "sr-only"}
          >
            {isNews ? "It is live" : "After publishing"}
          </h2>
          <p className="text-sm">
            <span>{isPlanned ? "Published as scheduled on " : "Published on "}</span>
            <DateTime at={wentOutAt} format={formatDateTime} className="font-medium" />
          </p>
        </div>
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
      <div id={region}>{isOpen && <AfterPublishing {...{ kind, id, letter, isNews }} />}</div>
    </section>
  );
}

type AfterProps = Item & Pick<Props, "letter"> & { isNews: boolean };

function AfterPublishing({ letter, isNews, ...item }: AfterProps) {
  const { found, isLooking, hasFailed, look, retryPing } = useFollowUps(item);
  const listed = toListIn(found?.steps ?? []);
  return (
    <div className="grid gap-5 pt-4">
      {found && <LinkRow {...found.share} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p aria-live="polite" className="text-sm">
          {sentenceOf(found, hasFailed)}
        </p>
        <Button size="sm" tone="bare" busy={isLooking} onClick={look} className="max-sm:-ml-3">
          Check again
        </Button>
      </div>
      {listed.length > 0 && (
        <ol className="border-t border-rule">
          {listed.map((step) => (
            <StepRow key={step.name} step={step} onRetry={retryPing} />
          ))}
        </ol>
      )}
      {found && letter !== undefined && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <LetterButton item={item} letter={letter} isNews={isNews} />
          <p className="text-sm text-muted">{found.steps.find(({ name }) => name === "letter")?.detail}</p>
        </div>
      )}
      {found && <SharePanel {...found.share} />}
      {item.kind === "episode" && <Clips episodeId={item.id} />}
    </div>
  );
}

function sentenceOf(found: FollowUps | undefined, hasFailed: boolean) {
  if (hasFailed) return "Couldn’t check just now.";
  return found ? placesIn(found.steps) : "Checking where it appears…";
}
