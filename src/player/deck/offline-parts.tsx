import { HardDrive } from "lucide-react";
import { ProgressBar } from "#site/ui/progress.tsx";
import type { Keeping } from "../keeping.ts";
import { failures, keepAtom, readAtom } from "../offline.ts";
import { OfflineStorage } from "./offline-storage.tsx";

/** A download's progress, or why it failed. */
const DownloadStatus = ({ keeping }: { keeping: Keeping | undefined }) => (
  <>
    {keeping && "done" in keeping && <ProgressBar label="Download" value={keeping.done} />}
    <p role="status" className="text-sm text-muted empty:hidden">
      {keeping && "failed" in keeping ? failures[keeping.failed] : null}
    </p>
  </>
);

/** What `KeepOffline` needs once it is used. */
export const offlineParts = { keepAtom, readAtom, StorageIcon: HardDrive, DownloadStatus, OfflineStorage };
