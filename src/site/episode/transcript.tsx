import { useMemo, useRef, type ReactNode } from "react";
import type { Track } from "#site/player/core/playback.ts";
import { usePart } from "#site/player/state.ts";
import { formatTime } from "#site/ui/format.ts";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { Quotable } from "./quotable.tsx";
import { useTimestampLink } from "./timestamp-link.ts";
import { writtenLines } from "./written-transcript.ts";
import type { Paragraph } from "#worker/episodes/paragraphs.ts";

type TranscriptProps = {
  paragraphs: Paragraph[];
  track: Track;
  /** The second at which it is open at first. */
  startAt: number;
  /** The episode's public address; absent for a draft. */
  url?: string;
};

const loadFollow = lazyImport(() => import("#site/player/follow-entry.ts"));

/** Each paragraph's time is a link, and the current paragraph is marked. */
export function Transcript({ paragraphs, track, startAt, url }: TranscriptProps) {
  const lines = useRef<HTMLOListElement>(null);
  const goTo = useTimestampLink(track);
  const playing = usePart(track.id, paragraphs);
  const follow = useLazyModule(playing >= 0, loadFollow);
  if (paragraphs.length === 0) return null;
  const linked = startAt > 0 ? paragraphs.findLastIndex(({ start }) => start <= startAt) : -1;
  const current = playing < 0 ? linked : playing;
  return (
    <Fold open={linked >= 0}>
      <Quotable said={paragraphs} track={track} url={url}>
        {import.meta.env.SSR && writtenLines(paragraphs) ? (
          <ol className="grid gap-2 pb-8" dangerouslySetInnerHTML={{ __html: writtenLines(paragraphs)! }} />
        ) : (
          <ol ref={lines} className="grid gap-2 pb-8">
            {paragraphs.map(({ start, speaker, text }, at) => (
              <li
                key={`${start} ${speaker}`}
                aria-current={at === current ? "time" : undefined}
                className="-mx-3 grid gap-x-6 px-3 py-1.5 sm:grid-cols-[4rem_1fr] aria-[current]:bg-tint"
              >
                <a
                  {...goTo(start)}
                  className="figures w-fit self-start text-sm leading-7 text-muted underline-offset-4 hover:text-ink hover:underline"
                >
                  <span className="sr-only">Play from </span>
                  <span>{formatTime(start)}</span>
                </a>
                <div>
                  {speaker && <p className="text-sm font-semibold">{speaker}</p>}
                  <p className="reading">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        )}
      </Quotable>
      {follow && <follow.Follow lines={lines} current={playing} className="bottom-24 pb-3" />}
    </Fold>
  );
}

/** A transcript without times. */
export function PlainTranscript({
  text,
  track,
  url,
}: { text: string } & Pick<TranscriptProps, "track" | "url">) {
  const said = useMemo(() => [{ speaker: "", text }], [text]);
  if (text === "") return null;
  return (
    <Fold>
      <Quotable said={said} track={track} url={url}>
        <p className="reading pb-8 whitespace-pre-line">{text}</p>
      </Quotable>
    </Fold>
  );
}

const Fold = ({ open, children }: { open?: boolean; children: ReactNode }) => (
  <details open={open} className="group/transcript border-y border-rule">
    <summary className="flex items-center justify-between gap-4 py-4 text-base font-semibold [&::-webkit-details-marker]:hidden">
      <h2>Transcript</h2>
      <span aria-hidden className="text-xl font-normal text-muted group-open/transcript:rotate-45">
        +
      </span>
    </summary>
    {children}
  </details>
);
