import { formatTime } from "#site/ui/format.ts";
import type { Cue } from "#worker/episodes/contract.ts";
import { paragraphsOf } from "./paragraphs.ts";

export function Transcript({ cues }: { cues: Cue[] }) {
  if (cues.length === 0) return null;
  return (
    <details className="group/transcript border-y border-rule">
      <summary className="flex items-center justify-between gap-4 py-4 text-base font-semibold [&::-webkit-details-marker]:hidden">
        <h2>Transcript</h2>
        <span aria-hidden className="text-xl font-normal text-muted group-open/transcript:rotate-45">
          +
        </span>
      </summary>
      <div className="grid gap-5 pb-8">
        {paragraphsOf(cues).map(({ start, speaker, text }) => (
          <div key={start} className="grid gap-x-6 sm:grid-cols-[4rem_1fr]">
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
