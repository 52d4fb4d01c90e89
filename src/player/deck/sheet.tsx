import { useAtom, useAtomValue } from "jotai";
import { ChevronDown, Keyboard, Link2, SkipBack, SkipForward } from "lucide-react";
import { Dialog } from "radix-ui";
import { Link } from "#site/document/link.tsx";
import { EmbedButton } from "#site/shell/embed-button.tsx";
import { Button } from "#site/ui/button.tsx";
import { linkInLayer, useCloseOnBack } from "#site/ui/close-on-back.ts";
import { cx } from "#site/ui/cx.ts";
import { Backdrop, useFocusReturn } from "#site/ui/dialog.tsx";
import { Cover, Status, type BarProps } from "./bar.tsx";
import { BackIcon, ForwardIcon, IconButton, PlayPause } from "./buttons.tsx";
import { useDetails } from "../details.ts";
import { KeepOffline } from "../keep-offline.tsx";
import { useCopyTimestampLink } from "../timestamp-link.ts";
import { next, previous, skip } from "../core/playback.ts";
import { hasNext, hasPrevious } from "../core/queue.ts";
import { Lists, tabAtom } from "./lists.tsx";
import { offlineParts } from "./offline-parts.tsx";
import { GoOnSwitch, SleepSelect, SpeedSelect } from "./options.tsx";
import { BACK, FORWARD, isHelpOpenAtom } from "../shortcuts.ts";
import { SeekSlider, Time, Volume } from "./sliders.tsx";
import { useStep } from "../state.ts";

type SheetProps = BarProps & { open: boolean; onOpenChange: (open: boolean) => void };

/** The full player: controls, speed and sleep timer, chapters, transcript and queue. */
export function PlayerSheet({ open, onOpenChange, track, playback }: SheetProps) {
  const focusReturn = useFocusReturn();
  useCloseOnBack(open, () => onOpenChange(false));
  const tab = useAtomValue(tabAtom);
  const { details, retry } = useDetails(track.id, open);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <div className="deck">
          <Backdrop className="z-40" />
          <Dialog.Content {...focusReturn} aria-describedby={undefined} data-tab={tab} className={panelClass}>
            <div className={gridClass}>
              <Head track={track} onClose={() => onOpenChange(false)} />
              <Instrument track={track} playback={playback} chapters={details?.chapters ?? []} />
              <Lists playback={playback} details={details} onRetry={retry} />
            </div>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The lists scroll; in a low window the whole sheet scrolls. */
const gridClass =
  "page grid h-full grid-cols-1 grid-rows-[auto_auto_minmax(16rem,1fr)] pt-2 pb-[env(safe-area-inset-bottom)] " +
  "lg:grid-cols-[5fr_7fr] lg:grid-rows-[auto_minmax(0,1fr)] lg:gap-x-16 lg:pb-6";

/** The transcript tab takes the window's full height, and on a phone replaces the parts that reading does not need. */
const panelClass =
  "group/sheet fixed inset-x-0 bottom-0 z-40 h-dvh animate-rise overflow-y-auto overscroll-contain border-t border-rule bg-raised " +
  "text-ink shadow-float outline-none sm:h-[calc(100dvh-3rem)] lg:not-data-[tab=Transcript]:h-[min(40rem,calc(100dvh-3rem))]";

const besideReading = "max-lg:group-data-[tab=Transcript]/sheet:hidden";

function Head({ track, onClose }: Pick<BarProps, "track"> & { onClose: () => void }) {
  const { id, title } = track;
  const copyTimestampLink = useCopyTimestampLink();
  const [, setHelpOpen] = useAtom(isHelpOpenAtom);
  return (
    <div className="-mx-2.5 flex items-center gap-1 py-1 lg:col-span-2 lg:py-2">
      <Dialog.Close asChild>
        <Button tone="bare" size="icon" aria-label="Close player" title="Close player">
          <ChevronDown aria-hidden size={22} />
        </Button>
      </Dialog.Close>
      <Button tone="bare" size="sm" className="ml-auto max-sm:px-2" onClick={() => void copyTimestampLink()}>
        <Link2 aria-hidden size={16} className="shrink-0 max-[22rem]:hidden" />
        Copy link at this time
      </Button>
      <EmbedButton kind="episode" id={id} title={title} className="max-sm:px-2">
        <span className="max-sm:sr-only">Embed</span>
      </EmbedButton>
      <Button
        tone="bare"
        size="icon"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        className="max-sm:hidden pointer-coarse:hidden"
        onClick={() => {
          onClose();
          setHelpOpen(true);
        }}
      >
        <Keyboard aria-hidden size={18} />
      </Button>
    </div>
  );
}

type InstrumentProps = BarProps & {
  chapters: Parameters<typeof SeekSlider>[0]["chapters"];
};

function Instrument({ track, playback, chapters }: InstrumentProps) {
  return (
    <div className="grid grid-cols-1 content-start gap-5 pb-5 lg:gap-6">
      {/* Not hidden from screen readers: the title is the dialog's name. */}
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4 max-lg:group-data-[tab=Transcript]/sheet:sr-only lg:gap-6">
        <Cover track={track} className="w-20 sm:w-28 lg:w-40" sizes="10rem" />
        <div className="grid gap-1">
          <Dialog.Title className="headline text-xl">
            <Link
              {...linkInLayer}
              to={`/episode/${track.id}`}
              className="line-clamp-3 underline-offset-[0.15em] hover:underline"
            >
              {track.title}
            </Link>
          </Dialog.Title>
          <Status track={track} playback={playback} brief />
        </div>
      </div>
      <div className="figures">
        <SeekSlider playback={playback} chapters={chapters} />
        <div className="flex justify-between">
          <Time label="Elapsed" playback={playback} />
          <Time label="Remaining" playback={playback} className="text-right" />
        </div>
      </div>
      <Transport playback={playback} />
      <div className={cx("flex flex-wrap items-end gap-x-5 gap-y-3", besideReading)}>
        <SpeedSelect playback={playback} />
        <SleepSelect playback={playback} />
        <GoOnSwitch playback={playback} />
        <Volume
          playback={playback}
          // Phones have volume keys.
          className="flex grow pointer-coarse:hidden sm:ml-auto sm:max-w-36"
          sliderClassName="max-w-none!"
        />
      </div>
      <KeepOffline
        track={track}
        // Not fetched on a press: the list of saved episodes must open without a connection.
        parts={offlineParts}
        className={cx("flex flex-wrap items-center gap-x-3 gap-y-2", besideReading)}
      />
    </div>
  );
}

function Transport({ playback }: Pick<BarProps, "playback">) {
  const step = useStep();
  const { queue } = playback;
  return (
    <div className="flex items-center justify-center gap-3 sm:gap-5 lg:justify-between">
      <Large label="Previous episode" disabled={!hasPrevious(queue)} onClick={() => step(previous)}>
        <SkipBack aria-hidden size={22} fill="currentColor" />
      </Large>
      <Large label="Back 15 seconds" onClick={() => step((now) => skip(now, BACK))}>
        <BackIcon size={30} />
      </Large>
      <PlayPause playback={playback} className="size-18" iconSize={30} />
      <Large label="Forward 30 seconds" onClick={() => step((now) => skip(now, FORWARD))}>
        <ForwardIcon size={30} />
      </Large>
      <Large label="Next episode" disabled={!hasNext(queue)} onClick={() => step(next)}>
        <SkipForward aria-hidden size={22} fill="currentColor" />
      </Large>
    </div>
  );
}

const Large = (button: Parameters<typeof IconButton>[0]) => (
  <IconButton {...button} className={cx("size-12! md:size-13!", button.className)} />
);
