import { useEffect, useState } from "react";
import { ApiError } from "#site/api.ts";
import { percent } from "#site/admin/files/format.ts";
import { fieldKey, removeUpload, findByField } from "#site/admin/files/local-uploads.ts";
import { uploadApi } from "#site/admin/files/upload-api.ts";
import { Button } from "#site/ui/button.tsx";
import type { Upload } from "#worker/files/contract.ts";

/** An upload into this field that a reload or a closed window interrupted; null when there is none. */
export function useInterruptedUpload(name: string) {
  const [upload, setUpload] = useState<Upload | null>(null);
  useEffect(() => {
    const remembered = findByField(fieldKey(name));
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
    removeUpload(upload.id);
    dismiss();
    // If the server cannot be reached now, its daily sweep removes the parts.
    uploadApi.remove(upload.id).catch((error: unknown) => console.warn("uploads: not removed yet", error));
  };
  return { upload, dismiss, discard };
}

async function findUpload(id: string) {
  try {
    return await uploadApi.read(id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) removeUpload(id);
    else console.warn("uploads: the stopped one cannot be asked for", error);
    return null;
  }
}

type InterruptedUploadProps = { upload: Upload; onDiscard: () => void };

/** Asks for the file again, since the browser cannot reopen it without the user. */
export function InterruptedUpload({ upload, onDiscard }: InterruptedUploadProps) {
  const sent = Math.min(upload.received * upload.partSize, upload.size);
  return (
    <div className="flex flex-wrap items-center gap-3 border-l-4 border-signal bg-tint px-4 py-3 text-sm">
      <p aria-live="polite" className="flex-1">
        An upload of “<span>{upload.name}</span>” stopped at <span>{percent(sent, upload.size)}</span> %.
        Choose the same file again to continue.
      </p>
      <Button size="sm" tone="bare" onClick={onDiscard}>
        Discard it
      </Button>
    </div>
  );
}
