import { ChevronUp, SkipBack, SkipForward } from "lucide-react";
import { useState } from "react";
import { useLocation } from "react-router";
import { formatTime } from "#site/ui/format.ts";
import { Landform } from "#site/shell/generated-artwork.tsx";
import { Picture } from "#site/ui/picture.tsx";
import { lazyImport } from "#site/ui/lazy-import.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { BackIcon, ForwardIcon, IconButton, PlayPause } from "./buttons.tsx";
import { useDetails } from "../details.ts";
import { PageGuard } from "../page-guard.tsx";
import { next, previous, skip, type Playback, type Track } from "../core/playback.ts";
import { hasNext, hasPrevious } from "../core/queue.ts";
import { rateLabel } from "../core/rates.ts";
import { useGiveUp } from "../say-offline.ts";
import { BACK, FORWARD } from "../shortcuts.ts";
import { SeekSlider, Time, Volume } from "./sliders.tsx";
import { leftLabel, useSleepLeft } from "../sleep.ts";
import { useStep } from "../state.ts";

export { PlayerEffects } from "../effects.tsx";
export { loadStyle } from "./style.ts";

export type BarProps = { track: Track; playback: Playback };

const loadSheet = lazyImport(() => import("./sheet.tsx"));

/** The player bar at the bottom of the window, one line on a phone. A press on it opens the sheet. */
export function PlayerBar({ track, playback }: BarProps) {
  const { key: here } = useLocation();
  // Another page closes the sheet, also once the listener returns to this one.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === here;
  if (openedAt !== null && !isOpen) setOpenedAt(null);
  const setOpen = (open: boolean) => setOpenedAt(open ? here : null);
  // Loaded ahead, since a listener may lose the connection before opening it.
  useLazyModule(playback.isPlaying, loadSheet);
  const giveUp = useGiveUp(setOpenedAt, null);
  const sheet = useLazyModule(isOpen, loadSheet, giveUp);
  const { details } = useDetails(track.id, !playback.isRestored && !playback.isLoading);
  return (
    <div className="deck">
      <PageGuard onOffline={() => setOpen(false)} />
      {/* Space at the end of the page, which the bar would cover. */}
      <div aria-hidden className="h-20 print:hidden" />
      <section
        aria-label="Audio player"
        className={
          "fixed inset-x-0 bottom-0 z-30 animate-rise border-t border-rule bg-raised pb-[env(safe-area-inset-bottom)] " +
          "shadow-float print:hidden"
        }
      >
        <div
          className={
            "page grid h-16 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 max-sm:px-4 " +
            "md:grid-cols-[minmax(0,1fr)_auto_auto] md:gap-x-4 lg:h-20 lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)_auto] lg:gap-x-6"
          }
        >
          <NowPlaying track={track} playback={playback} onOpen={() => setOpen(true)} />
          <Transport playback={playback} />
          <div className="figures max-lg:absolute max-lg:inset-x-0 max-lg:-top-3 lg:flex lg:items-center lg:gap-3">
            <Time label="Elapsed" playback={playback} className="text-right max-lg:hidden" />
            <SeekSlider playback={playback} chapters={details?.chapters ?? []} />
            <Time label="Total" playback={playback} className="max-lg:hidden" />
          </div>
          <Volume playback={playback} className="hidden md:flex" sliderClassName="max-xl:hidden" />
        </div>
      </section>
      {sheet && <sheet.PlayerSheet open={isOpen} onOpenChange={setOpen} track={track} playback={playback} />}
    </div>
  );
}

function NowPlaying({ track, playback, onOpen }: BarProps & { onOpen: () => void }) {
  return (
    <div className="group/now relative flex min-w-0 items-center gap-3">
      <Cover track={track} className="size-10 lg:size-14" sizes="3.5rem" />
      <div className="min-w-0 grow">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`Open player: ${track.title}`}
          onClick={onOpen}
          // The whole area is the button.
          className="flex min-h-6 w-full items-center gap-2 text-left after:absolute after:inset-0"
        >
          <span className="headline truncate text-base leading-tight underline-offset-4 group-hover/now:underline lg:text-lg">
            {track.title}
          </span>
          <ChevronUp
            aria-hidden
            size={16}
            className="shrink-0 text-muted group-hover/now:text-ink max-sm:hidden"
          />
        </button>
        <Status track={track} playback={playback} />
      </div>
    </div>
  );
}

type CoverProps = { track: Track; className: string; sizes: string };

export const Cover = ({ track: { id, picture, episodeNumber }, className, sizes }: CoverProps) =>
  picture ? (
    <Picture
      picture={{ ...picture, alt: "" }}
      sizes={sizes}
      priority
      className={`aspect-square shrink-0 ${className}`}
    />
  ) : (
    <Landform seed={id} figure={episodeNumber} className={`aspect-square shrink-0 ${className}`} />
  );

type StatusProps = BarProps & {
  /** Without time, speed and timer, which the sheet shows elsewhere. */
  brief?: boolean;
};

/** The show's name, or why the episode does not play. */
export function Status({ track, playback, brief }: StatusProps) {
  const { error, isWaiting, rate } = playback;
  const isFine = error === null && track.audioUrl !== null;
  return (
    <p role="status" className="facts flex-nowrap! text-sm whitespace-nowrap text-muted">
      {error === "failed" && <span className="text-danger">Couldn’t be loaded.</span>}
      {error === "blocked" && <span>Press play to start.</span>}
      {track.audioUrl === null && <span>This episode has no audio yet.</span>}
      {isFine && !brief && <Elapsed playback={playback} />}
      {isFine && (
        // Two elements, since truncation would also cut the dot.
        <span className="min-w-0">
          <span className="inline-block max-w-full truncate align-bottom">
            {isWaiting ? "Buffering…" : track.show}
          </span>
        </span>
      )}
      {isFine && !brief && rate !== 1 && <span>{rateLabel(rate)}</span>}
      {isFine && !brief && <SleepsIn />}
    </p>
  );
}

/** Below 1024 px, where the seek bar is the upper edge, without times beside it. */
const Elapsed = ({ playback: { seekTo, currentTime } }: { playback: Playback }) => (
  <span aria-hidden className="figures lg:hidden">
    {formatTime(seekTo ?? currentTime)}
  </span>
);

/** Hidden from screen readers, which would read it out each minute. */
function SleepsIn() {
  const left = useSleepLeft();
  return left !== null && <span aria-hidden>{`Sleeps in ${leftLabel(left)}`}</span>;
}

/** A phone's bar plays, pauses and skips ahead, so that the title has room; the other buttons are in the sheet. */
function Transport({ playback }: { playback: Playback }) {
  const step = useStep();
  const { queue } = playback;
  return (
    <div className="flex items-center max-sm:-mr-2 md:gap-1">
      <IconButton
        label="Previous episode"
        disabled={!hasPrevious(queue)}
        onClick={() => step(previous)}
        className="max-md:hidden"
      >
        <SkipBack aria-hidden size={18} fill="currentColor" />
      </IconButton>
      <IconButton
        label="Back 15 seconds"
        onClick={() => step((now) => skip(now, BACK))}
        className="max-sm:hidden"
      >
        <BackIcon size={22} />
      </IconButton>
      <PlayPause playback={playback} className="size-11 lg:size-12" iconSize={20} />
      <IconButton label="Forward 30 seconds" onClick={() => step((now) => skip(now, FORWARD))}>
        <ForwardIcon size={22} />
      </IconButton>
      <IconButton
        label="Next episode"
        disabled={!hasNext(queue)}
        onClick={() => step(next)}
        className="max-md:hidden"
      >
        <SkipForward aria-hidden size={18} fill="currentColor" />
      </IconButton>
    </div>
  );
}
