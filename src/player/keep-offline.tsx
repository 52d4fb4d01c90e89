import { useStore } from "jotai";
import { useEffect, useState, type ComponentProps } from "react";
import { EPISODES } from "#site/offline/caches.ts";
import { canWorkOffline, isOn } from "#site/offline/register.ts";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { Download, icon } from "#site/ui/icons.tsx";
import { lazyStyledImport } from "#site/ui/lazy-import.ts";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { useLazyModule } from "#site/ui/use-lazy-module.ts";
import { useKeepingState } from "./keeping.ts";
import type { Track } from "./core/playback.ts";
import { useGiveUp } from "./say-offline.ts";

const Check = icon("M20 6 9 17l-5-5");
const loadEntry = lazyStyledImport(() => import("./deck/offline-entry.ts"));

type Parts = Awaited<ReturnType<typeof loadEntry>>["offlineParts"];

type Props = {
  track: Track;
  /** By default they are fetched on a press, or if some episode is saved. */
  parts?: Parts;
  /** Of the element around the buttons and, below them, the state of a download. */
  className?: string;
} & Pick<ComponentProps<typeof Button>, "tone" | "size">;

/**
 * Saves the episode on the device, and opens the list of saved episodes. Renders nothing in browsers without offline
 * support.
 */
export function KeepOffline({ track, parts: given, className, tone, size = "sm" }: Props) {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const { isRead, own, keeping } = useKeepingState(track);
  const isWanted = !given && (isPressed || isRead);
  const fetched = useLazyModule(isWanted, loadEntry, useGiveUp(setPressed, false));
  const parts = given ?? fetched?.offlineParts;
  useEffect(() => {
    const readKept = async () => {
      if (!canWorkOffline() || !(given || (await caches.has(EPISODES)))) return;
      const { readAtom } = given ?? (await loadEntry()).offlineParts;
      await store.set(readAtom);
    };
    readKept().catch(console.warn);
  }, [given, store]);
  const isHydrated = useHydrated();
  if (!isOn || (isHydrated && !canWorkOffline())) return null;
  const keep = async () => {
    setPressed(true);
    const { keepAtom } = given ?? (await loadEntry()).offlineParts;
    await store.set(keepAtom, track);
  };
  const isUnderWay = keeping !== undefined && "done" in keeping;
  return (
    <div className={className}>
      {track.audioUrl &&
        (isUnderWay ? (
          <Button tone={tone} size={size} onClick={keeping.cancel}>
            Cancel download
          </Button>
        ) : (
          // Not disabled: it keeps the focus when the download is done.
          <Button
            tone={tone}
            size={size}
            aria-disabled={own !== undefined}
            // A failure to fetch the code is shown by `useGiveUp`.
            onClick={own ? undefined : () => void keep().catch(console.warn)}
          >
            {own ? <Check aria-hidden size={16} /> : <Download aria-hidden size={16} />}
            <span>{own ? "Kept offline" : "Keep offline"}</span>
          </Button>
        ))}
      {parts && (
        <>
          <Button tone="bare" size={size} onClick={() => setOpen(true)}>
            <parts.StorageIcon aria-hidden size={16} />
            Offline storage
          </Button>
          <div key={track.id} className={cx("order-last w-full empty:hidden", tone === "bare" && "px-4")}>
            <parts.DownloadStatus keeping={keeping} />
          </div>
          <parts.OfflineStorage open={isOpen} onOpenChange={setOpen} />
        </>
      )}
    </div>
  );
}
