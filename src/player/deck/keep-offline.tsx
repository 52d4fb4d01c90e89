import { Check, Download, HardDrive } from "lucide-react";
import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";
import { canWorkOffline, failures, useKeeping, type Keeping } from "../offline.ts";
import type { Track } from "../playback.ts";
import { OfflineStorage } from "./offline-storage.tsx";

/** Keeps the episode on the device, and leads to what is kept. Nothing where the browser cannot. */
export function KeepOffline({ track }: { track: Track }) {
  const [isOpen, setOpen] = useState(false);
  if (!canWorkOffline()) return null;
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-2 max-lg:group-data-[tab=Transcript]/sheet:hidden">
      {track.audioUrl && <Keep key={track.id} track={track} />}
      <Button tone="bare" size="sm" onClick={() => setOpen(true)}>
        <HardDrive aria-hidden size={16} />
        Offline storage
      </Button>
      {/* Not loaded when it opens: it must open without a connection. */}
      <OfflineStorage open={isOpen} onOpenChange={setOpen} />
    </div>
  );
}

function Keep({ track }: { track: Track }) {
  const { isRead, own, keeping, keep } = useKeeping(track);
  const isUnderWay = keeping !== undefined && "done" in keeping;
  return (
    <>
      {isUnderWay ? (
        <Button size="sm" onClick={keeping.cancel}>
          Cancel download
        </Button>
      ) : (
        // Not disabled: it keeps the focus when the download is done.
        <Button
          size="sm"
          aria-disabled={!isRead || own !== undefined}
          onClick={own ? undefined : () => void keep()}
        >
          {own ? <Check aria-hidden size={16} /> : <Download aria-hidden size={16} />}
          <span>{own ? "Kept offline" : "Keep offline"}</span>
        </Button>
      )}
      <div className="order-last w-full empty:hidden">
        {isUnderWay && <ProgressBar label="Download" value={keeping.done} />}
        <p role="status" className="text-sm text-muted empty:hidden">
          {messageOf(keeping)}
        </p>
      </div>
    </>
  );
}

const messageOf = (keeping: Keeping | undefined) =>
  keeping && "failed" in keeping ? failures[keeping.failed] : null;
