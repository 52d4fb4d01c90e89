import { Volume2, VolumeX } from "lucide-react";
import type { ChangeEvent } from "react";
import { cx } from "#site/ui/cx.ts";
import { formatTime } from "#site/ui/format.ts";
import type { Chapter } from "#worker/episodes/contract.ts";
import { IconButton } from "./buttons.tsx";
import { positionOf, seek, seekMaximum, toggleMute, type Playback } from "../core/playback.ts";
import { partAt, useStep } from "../state.ts";

/** Half of the thumb's width: the range of the thumb's centre is inset by it at both ends. */
const INSET = "6px";

/** CSS position of the thumb's centre at `part` of the range, 0 to 1. */
const alongRange = (part: number) => `calc(${INSET} + ${part} * (100% - 2 * ${INSET}))`;

type SeekProps = { playback: Playback; chapters: Chapter[] };

export function SeekSlider({ playback, chapters }: SeekProps) {
  const step = useStep();
  const { duration, isLoading } = playback;
  const maximum = seekMaximum(playback);
  const time = Math.min(positionOf(playback), maximum);
  const isKnown = duration > 0;
  return (
    <span className="relative block grow">
      {isKnown && <Ticks chapters={chapters} duration={duration} />}
      <input
        type="range"
        aria-label="Seek"
        aria-valuetext={isKnown ? valueText(time, duration, chapters) : formatTime(time)}
        min={0}
        max={maximum}
        step={1}
        value={time}
        disabled={isLoading || !isKnown}
        onChange={({ target: { valueAsNumber } }: ChangeEvent<HTMLInputElement>) =>
          step((now) => seek(now, valueAsNumber))
        }
        className="range relative block"
        style={{ "--fill": isKnown ? alongRange(time / maximum) : "0%" }}
      />
    </span>
  );
}

function valueText(time: number, duration: number, chapters: Chapter[]) {
  const chapter = chapters[partAt(chapters, time)];
  const at = `${formatTime(time)} of ${formatTime(duration)}`;
  return chapter ? `${at}, ${chapter.title}` : at;
}

/** Ticks at the starts of chapters, without the one at 0. */
const Ticks = ({ chapters, duration }: { chapters: Chapter[]; duration: number }) =>
  chapters
    .filter(({ start }) => start > 0 && start < duration)
    .map(({ start, title }) => (
      <span
        key={`${start} ${title}`}
        aria-hidden
        className="pointer-events-none absolute top-1/2 h-2 w-0.5 -translate-1/2 bg-edge forced-colors:bg-[CanvasText]"
        style={{ left: alongRange(start / duration) }}
      />
    ));

type TimeProps = { label: "Elapsed" | "Remaining" | "Total"; playback: Playback; className?: string };

export function Time({ label, playback, className }: TimeProps) {
  const { duration } = playback;
  const elapsed = positionOf(playback);
  const seconds = { Elapsed: elapsed, Total: duration, Remaining: duration - elapsed }[label];
  return (
    <span className={cx("min-w-11 shrink-0 text-sm whitespace-nowrap text-muted", className)}>
      <span className="sr-only">{`${label} `}</span>
      {label === "Remaining" && <span aria-hidden>−</span>}
      <span>{formatTime(seconds)}</span>
    </span>
  );
}

type VolumeProps = { playback: Playback; className?: string; sliderClassName?: string };

export function Volume({ playback: { volume }, className, sliderClassName }: VolumeProps) {
  const step = useStep();
  return (
    <div className={cx("items-center gap-1", className)}>
      <IconButton label={volume > 0 ? "Mute" : "Unmute"} onClick={() => step(toggleMute)}>
        {volume > 0 ? <Volume2 aria-hidden size={18} /> : <VolumeX aria-hidden size={18} />}
      </IconButton>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={`${Math.round(volume * 100)}%`}
        min={0}
        max={1}
        step={0.1}
        value={volume}
        onChange={({ target: { valueAsNumber } }: ChangeEvent<HTMLInputElement>) =>
          step((now) => ({ ...now, volume: valueAsNumber }))
        }
        className={cx("range block max-w-24", sliderClassName)}
        style={{ "--fill": alongRange(volume) }}
      />
    </div>
  );
}
