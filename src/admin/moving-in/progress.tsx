import { ProgressBar } from "#site/ui/progress.tsx";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { formatSize } from "../files/format.ts";
import { turnsOf } from "./state-names.ts";

type Props = {
  progress: ImportProgress;
  /** "episodes". */
  noun: string;
};

/** How many items of an import had their turn. */
export function Progress({ progress, noun }: Props) {
  const { state, counts, bytes, pausedReason } = progress;
  const had = turnsOf(progress);
  const part = counts.total === 0 ? 0 : had / counts.total;
  const words = `${had.toLocaleString("en")} of ${counts.total.toLocaleString("en")} ${noun}`;
  return (
    <section aria-label="Progress" className="grid gap-3">
      {state !== "done" && <ProgressBar label={`Import: ${words}`} value={part} className="h-2" />}
      <p className="text-sm figures">
        <span>{words}</span>
        {bytes.moved > 0 && <span>{`, ${formatSize(bytes.moved)} moved`}</span>}
        {state === "paused" && <span>{". The rest is waiting."}</span>}
      </p>
      {/* Each tenth is read out, and the end. */}
      <p role="status" className="sr-only">
        {said(state, Math.floor(part * 10) * 10, noun)}
      </p>
      <Counts counts={counts} />
      {pausedReason && (
        <p className="border-l-4 border-signal pl-3 text-sm wrap-anywhere">{`Stopped: ${pausedReason}`}</p>
      )}
    </section>
  );
}

function said(state: ImportProgress["state"], percent: number, noun: string) {
  if (state === "running") return `${percent} % of the ${noun} processed`;
  if (state === "paused") return "The import is paused";
  return state === "done" ? "The import is complete" : "The import was cancelled";
}

const Counts = ({ counts: { total, done, skipped, failed } }: Pick<ImportProgress, "counts">) => (
  <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-y border-rule py-4 sm:flex sm:flex-wrap">
    {(
      [
        ["Done", done],
        ["Left out", skipped],
        ["Failed", failed],
        ["Waiting", Math.max(0, total - done - skipped - failed)],
      ] as const
    ).map(([name, count]) => (
      <div key={name} className="grid">
        <dt className="text-sm text-muted">{name}</dt>
        <dd className={`text-lg font-medium figures ${name === "Failed" && count > 0 ? "text-danger" : ""}`}>
          {count.toLocaleString("en")}
        </dd>
      </div>
    ))}
  </dl>
);
