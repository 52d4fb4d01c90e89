import { Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { cx } from "#site/ui/cx.ts";
import { canPlay, toggle, type Playback } from "../core/playback.ts";
import { useStep } from "../state.ts";

type IconButtonProps = {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  className?: string;
  children: ReactNode;
};

export const IconButton = ({ label, disabled, onClick, className, children }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    // Not `disabled`: the button keeps the focus at the last episode.
    aria-disabled={disabled}
    onClick={disabled ? undefined : onClick}
    className={cx(
      "grid size-9 shrink-0 place-items-center rounded-full transition-colors not-aria-disabled:hover:bg-tint md:size-10",
      "aria-disabled:cursor-default aria-disabled:text-edge aria-disabled:opacity-60",
      className,
    )}
  >
    {children}
  </button>
);

type PlayPauseProps = { playback: Playback; className: string; iconSize: number };

/** Plays and pauses, or retries audio that could not be loaded. */
export function PlayPause({ playback, className, iconSize }: PlayPauseProps) {
  const { isPlaying, isLoading, isWaiting, error } = playback;
  const step = useStep();
  const hasFailed = error === "failed";
  const isBusy = useLastingTrue(isLoading || (isPlaying && isWaiting));
  return (
    <button
      type="button"
      aria-label={hasFailed ? "Try again" : isPlaying ? "Pause" : "Play"}
      aria-busy={isBusy || undefined}
      // Not `disabled`: the button keeps the focus while it loads.
      aria-disabled={!canPlay(playback)}
      onClick={() => step(toggle)}
      className={cx(
        "relative grid shrink-0 place-items-center rounded-full bg-accent text-on-accent transition-colors",
        "not-aria-disabled:hover:bg-accent/90 aria-disabled:cursor-default aria-disabled:bg-edge",
        className,
      )}
    >
      {hasFailed ? (
        <RotateCw aria-hidden size={iconSize - 2} />
      ) : isPlaying ? (
        <Pause aria-hidden size={iconSize} fill="currentColor" strokeWidth={0} />
      ) : (
        // Centres the triangle by its weight.
        <Play aria-hidden size={iconSize} fill="currentColor" strokeWidth={0} className="translate-x-[6%]" />
      )}
      {isBusy && (
        <span
          aria-hidden
          className="absolute inset-0.5 animate-spin rounded-full border-2 border-on-accent/70 border-r-transparent"
        />
      )}
    </button>
  );
}

/** Milliseconds of loading before the spinner shows. */
const SPINNER_DELAY = 300;

function useLastingTrue(value: boolean) {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!value) return;
    const timer = setTimeout(() => setLasts(true), SPINNER_DELAY);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [value]);
  return value && lasts;
}

const SkipIcon = ({ icon, seconds }: { icon: ReactNode; seconds: number }) => (
  <span aria-hidden className="figures relative grid place-items-center">
    {icon}
    <span className="absolute pt-px text-[0.5625rem] leading-none font-semibold">{seconds}</span>
  </span>
);

export const BackIcon = ({ size }: { size: number }) => (
  <SkipIcon icon={<RotateCcw size={size} strokeWidth={1.5} />} seconds={15} />
);
export const ForwardIcon = ({ size }: { size: number }) => (
  <SkipIcon icon={<RotateCw size={size} strokeWidth={1.5} />} seconds={30} />
);
