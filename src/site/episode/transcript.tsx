import { formatTime } from "#site/ui/format.ts";
import type { Paragraph } from "./paragraphs.ts";

type TranscriptProps = {
  paragraphs: Paragraph[];
  /** Seconds; where it is open already. */
  startAt: number;
};

export function Transcript({ paragraphs, startAt }: TranscriptProps) {
  if (paragraphs.length === 0) return null;
  const current = startAt > 0 ? paragraphs.findLast(({ start }) => start <= startAt) : undefined;
  return (
    <details open={current !== undefined} className="group/transcript border-y border-rule">
      <summary className="flex items-center justify-between gap-4 py-4 text-base font-semibold [&::-webkit-details-marker]:hidden">
        <h2>Transcript</h2>
        <span aria-hidden className="text-xl font-normal text-muted group-open/transcript:rotate-45">
          +
        </span>
      </summary>
      <div className="grid gap-5 pb-8">
        {paragraphs.map(({ start, speaker, text }) => (
          <div
            key={start}
            aria-current={start === current?.start ? "time" : undefined}
            className="grid gap-x-6 sm:grid-cols-[4rem_1fr] aria-[current=time]:bg-tint"
          >
            <span className="figures text-sm leading-7 text-muted">{formatTime(start)}</span>
            <div>
              {speaker && <p className="text-sm font-semibold">{speaker}</p>}
              <p className="reading">{text}</p>
            </div>
          </div>
        ))}
      </div>
    </details>
  );
}
