import { useEffect, useState } from "react";
import { ApiError } from "#site/api.ts";
import { percent } from "#site/admin/files/format.ts";
import { fieldOf, forget, recallField } from "#site/admin/files/memory.ts";
import { wire } from "#site/admin/files/wire.ts";
import { Button } from "#site/ui/button.tsx";
import type { Upload } from "#worker/files/contract.ts";

/** An upload into this field that a reload or a closed window stopped; null when there is none. */
export function useStopped(name: string) {
  const [upload, setUpload] = useState<Upload | null>(null);
  useEffect(() => {
    const remembered = recallField(fieldOf(name));
    if (!remembered) return;
    let isCurrent = true;
    void findUpload(remembered.id).then((found) => isCurrent && setUpload(found));
    return () => {
      isCurrent = false;
    };
  }, [name]);
  const dismiss = () => setUpload(null);
  const discard = () => {
    if (!upload) return;
    forget(upload.id);
    dismiss();
    // If the server cannot be reached now, its daily sweep removes the parts.
    wire.remove(upload.id).catch((error: unknown) => console.warn("uploads: not removed yet", error));
  };
  return { upload, dismiss, discard };
}

async function findUpload(id: string) {
  try {
    return await wire.read(id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) forget(id);
    else console.warn("uploads: the stopped one cannot be asked for", error);
    return null;
  }
}

type StoppedUploadProps = { upload: Upload; onDiscard: () => void };

/** The browser may not open the file again by itself. */
export function StoppedUpload({ upload, onDiscard }: StoppedUploadProps) {
  const sent = Math.min(upload.received * upload.partSize, upload.size);
  return (
    <div className="flex flex-wrap items-center gap-3 border-l-4 border-signal bg-tint px-4 py-3 text-sm">
      <p aria-live="polite" className="flex-1">
        An upload of “{upload.name}” stopped at {percent(sent, upload.size)} %. Choose the same file again to
        go on.
      </p>
      <Button size="sm" tone="bare" onClick={onDiscard}>
        Discard it
      </Button>
    </div>
  );
}
