import { ProgressBar } from "#site/ui/progress.tsx";
import type { LetterProgress } from "#worker/letters/report-queries.ts";

/** The progress of a letter's sending, and why it paused. */
export function SendingProgress({
  progress: { status, counts, pausedReason },
}: {
  progress: LetterProgress;
}) {
  if (status !== "sending" && status !== "paused") return null;
  const { recipients, queued } = counts;
  const had = recipients - queued;
  const words = `${had.toLocaleString("en")} of ${recipients.toLocaleString("en")} subscribers`;
  return (
    <section aria-label="Progress" className="mb-8 grid gap-3">
      <ProgressBar
        label={`Sending: ${words}`}
        value={recipients === 0 ? 0 : had / recipients}
        className="h-2"
      />
      <p role="status" className="text-sm figures">
        {`${words} ${status === "paused" ? "done. The rest is waiting." : "done."}`}
      </p>
      {pausedReason && (
        <p className="border-l-4 border-signal pl-3 text-sm wrap-anywhere">
          {`${status === "paused" ? "Stopped: " : "Waiting, and continues automatically: "}${pausedReason}`}
        </p>
      )}
    </section>
  );
}
