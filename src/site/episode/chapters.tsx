import type { Track } from "#site/player/core/playback.ts";
import { usePart } from "#site/player/state.ts";
import { formatTime } from "#site/ui/format.ts";
import type { Chapter } from "#worker/episodes/contract.ts";
import { useTimestampLink } from "./timestamp-link.ts";

/** A click plays from the chapter's start; without scripts the page opens at `?t=`. */
export function Chapters({ chapters, track }: { chapters: Chapter[]; track: Track }) {
  const goTo = useTimestampLink(track);
  const current = usePart(track.id, chapters);
  if (chapters.length === 0) return null;
  return (
    <section aria-labelledby="chapters">
      <h2 id="chapters" className="mb-2 text-base font-semibold">
        Chapters
      </h2>
      <ol>
        {chapters.map(({ start, title }, at) => (
          <li key={`${start} ${title}`} className="border-t border-rule">
            <a
              {...goTo(start)}
              aria-current={at === current || undefined}
              className="group/chapter -mx-3 grid grid-cols-[1fr_auto] gap-4 px-3 py-2.5 aria-[current]:bg-tint"
            >
              <p className="underline-offset-4 group-hover/chapter:underline">{title}</p>
              <span className="figures text-sm leading-6 text-muted">{formatTime(start)}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
