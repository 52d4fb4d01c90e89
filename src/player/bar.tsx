import { Pause, Play, RotateCw, SkipBack, SkipForward, Volume2, VolumeX } from "lucide-react";
import type { ChangeEvent, ReactNode } from "react";
import { Link } from "#site/ui/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { formatTime } from "#site/ui/format.ts";
import { Picture } from "#site/ui/picture.tsx";
import {
  canPlay,
  next,
  previous,
  seek,
  seekMaximum,
  toggle,
  toggleMute,
  type Playback,
  type Track,
} from "./playback.ts";
import { hasNext, hasPrevious } from "./queue.ts";
import { useRetry, useStep } from "./state.ts";

type BarProps = { track: Track; playback: Playback };

/** The player, across the bottom of the window: one line on a phone. */
export function PlayerBar({ track, playback }: BarProps) {
  return (
    <>
      {/* Keeps the end of the page clear of the bar. */}
      <div aria-hidden className="h-20" />
      <section
        aria-label="Audio player"
        className={
          "fixed inset-x-0 bottom-0 z-30 animate-rise border-t border-rule bg-raised pb-[env(safe-area-inset-bottom)] " +
          "shadow-float"
        }
      >
        <div
          className={
            "page grid h-16 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 " +
            "md:h-20 md:grid-cols-[minmax(0,4fr)_auto_minmax(0,5fr)_auto] md:gap-x-6"
          }
        >
          <NowPlaying track={track} playback={playback} />
          <Transport playback={playback} />
          <Seek playback={playback} />
          <Volume playback={playback} />
        </div>
      </section>
    </>
  );
}

function NowPlaying({ track, playback }: BarProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      {track.picture ? (
        <Picture
          picture={{ ...track.picture, alt: "" }}
          sizes="3.5rem"
          priority
          className="size-11 shrink-0 md:size-14"
        />
      ) : (
        <span
          aria-hidden
          className="headline grid size-11 shrink-0 place-items-center bg-sky text-xl text-land md:size-14"
        >
          {track.episodeNumber}
        </span>
      )}
      <div className="min-w-0">
        <Link
          to={`/episode/${track.id}`}
          className="headline block truncate text-base leading-tight underline-offset-4 hover:underline lg:text-lg"
        >
          {track.title}
        </Link>
        <Status track={track} playback={playback} />
      </div>
    </div>
  );
}

/** The show's name, or what keeps it from playing. */
function Status({ track, playback: { trouble, currentTime } }: BarProps) {
  return (
    <p role="status" className="truncate text-sm text-muted">
      {trouble === "failed" && <span className="text-danger">Could not be loaded.</span>}
      {trouble === "blocked" && "Press play to start."}
      {!track.audioUrl && "This episode has no audio yet."}
      {trouble === null && track.audioUrl && (
        <>
          <span aria-hidden className="figures md:hidden">
            {formatTime(currentTime)} ·{" "}
          </span>
          {track.show}
        </>
      )}
    </p>
  );
}

function Transport({ playback }: { playback: Playback }) {
  const { isPlaying, isLoading, queue } = playback;
  const step = useStep();
  const [hasFailed, tryAgain] = useRetry();
  return (
    <div className="flex items-center gap-1">
      <IconButton label="Previous episode" disabled={!hasPrevious(queue)} onClick={() => step(previous)}>
        <SkipBack aria-hidden size={18} fill="currentColor" />
      </IconButton>
      <button
        type="button"
        aria-label={hasFailed ? "Try again" : isPlaying ? "Pause" : "Play"}
        aria-busy={isLoading || undefined}
        disabled={!hasFailed && !canPlay(playback)}
        onClick={() => (hasFailed ? tryAgain() : step(toggle))}
        className={
          "grid size-11 place-items-center rounded-full bg-accent text-on-accent transition-colors " +
          "not-disabled:hover:bg-accent/90 disabled:cursor-default disabled:bg-edge md:size-12"
        }
      >
        <PlayFace isPlaying={isPlaying} isLoading={isLoading} hasFailed={hasFailed} />
      </button>
      <IconButton label="Next episode" disabled={!hasNext(queue)} onClick={() => step(next)}>
        <SkipForward aria-hidden size={18} fill="currentColor" />
      </IconButton>
    </div>
  );
}

type Face = Record<"isPlaying" | "isLoading" | "hasFailed", boolean>;

function PlayFace({ isPlaying, isLoading, hasFailed }: Face) {
  if (isLoading) {
    return (
      <span
        aria-hidden
        className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
      />
    );
  }
  if (hasFailed) return <RotateCw aria-hidden size={18} />;
  if (isPlaying) return <Pause aria-hidden size={20} fill="currentColor" strokeWidth={0} />;
  // A triangle looks centred only when its weight is.
  return <Play aria-hidden size={20} fill="currentColor" strokeWidth={0} className="translate-x-px" />;
}

const percent = (part: number, whole: number) => `${Math.min(100, (part / whole) * 100)}%`;

function Seek({ playback }: { playback: Playback }) {
  const step = useStep();
  const { duration, isLoading } = playback;
  const maximum = seekMaximum(playback);
  const time = playback.seekTo ?? playback.currentTime;
  return (
    <div className="figures max-md:absolute max-md:inset-x-0 max-md:-top-3 md:flex md:items-center md:gap-3">
      <Time label="Elapsed" seconds={time} className="text-right" />
      <input
        type="range"
        aria-label="Seek"
        aria-valuetext={duration ? `${formatTime(time)} of ${formatTime(duration)}` : formatTime(time)}
        min={0}
        max={maximum}
        step={1}
        value={Math.min(time, maximum)}
        disabled={isLoading || duration === 0}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          const { valueAsNumber } = event.target;
          step((now) => seek(now, valueAsNumber));
        }}
        className="range block"
        style={{ "--fill": percent(time, maximum) }}
      />
      <Time label="Total" seconds={duration} />
    </div>
  );
}

const Time = ({ label, seconds, className }: { label: string; seconds: number; className?: string }) => (
  <span className={cx("min-w-11 shrink-0 text-sm whitespace-nowrap text-muted max-md:hidden", className)}>
    <span className="sr-only">{label} </span>
    {formatTime(seconds)}
  </span>
);

function Volume({ playback: { volume } }: { playback: Playback }) {
  const step = useStep();
  return (
    <div className="hidden items-center gap-1 md:flex">
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
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          const { valueAsNumber } = event.target;
          step((now) => ({ ...now, volume: valueAsNumber }));
        }}
        className="range block max-w-24 max-lg:hidden"
        style={{ "--fill": percent(volume, 1) }}
      />
    </div>
  );
}

type IconButtonProps = { label: string; disabled?: boolean; onClick: () => void; children: ReactNode };

const IconButton = ({ label, disabled, onClick, children }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    // Not disabled: the keyboard stays here when the last episode is reached.
    aria-disabled={disabled}
    onClick={disabled ? undefined : onClick}
    className="grid size-9 place-items-center rounded-full transition-colors not-aria-disabled:hover:bg-tint aria-disabled:cursor-default aria-disabled:text-edge aria-disabled:opacity-60 md:size-10"
  >
    {children}
  </button>
);
