import { usePlayFrom } from "#site/player/use-play.ts";
import type { Track } from "#site/player/playback.ts";
import { formatTime } from "#site/ui/format.ts";
import type { Chapter } from "#worker/episodes/contract.ts";

/** A click plays from there; without scripts the address carries the time to the native control. */
export function Chapters({ chapters, track }: { chapters: Chapter[]; track: Track }) {
  const playFrom = usePlayFrom();
  if (chapters.length === 0) return null;
  return (
    <section aria-labelledby="chapters">
      <h2 id="chapters" className="mb-2 text-base font-semibold">
        Chapters
      </h2>
      <ol>
        {chapters.map(({ start, title }) => (
          <li key={`${start} ${title}`} className="border-t border-rule">
            <a
              href={`?t=${Math.floor(start)}`}
              onClick={(event) => {
                if (!track.audioUrl || event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                playFrom(track, start);
              }}
              className="group/chapter grid grid-cols-[1fr_auto] gap-4 py-2.5"
            >
              <span className="underline-offset-4 group-hover/chapter:underline">{title}</span>
              <span className="figures text-sm leading-6 text-muted">{formatTime(start)}</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
