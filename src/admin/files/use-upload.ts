import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { fieldKey } from "#site/admin/files/local-uploads.ts";
import { FileUpload, problemOf } from "#site/admin/files/upload.ts";
import { announce } from "#site/admin/files/upload-progress.tsx";
import { uploadApi } from "#site/admin/files/upload-api.ts";
import { useFormState } from "#site/admin/form/context.ts";
import { peaksOf } from "#site/admin/sound/file-peaks.ts";
import { Measurement } from "#site/admin/sound/measurement.client.ts";
import { toast } from "#site/admin/shell/toast.tsx";
import { folders, type FileFolder, type StoredFile } from "#worker/files/contract.ts";

type UseUpload = {
  /** The form's name for the file's id. */
  name: string;
  folder: FileFolder;
  onChange: (file: StoredFile | null) => void;
};

/** The current upload, if any, and the problem of the last chosen file. */
export function useUpload({ name, folder, onChange }: UseUpload) {
  const { setUploading } = useFormState();
  const [upload, setUpload] = useState<FileUpload | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const state = useSyncExternalStore(
    upload?.subscribe ?? noSubscription,
    upload?.getState ?? noState,
    noState,
  );
  const isOver = !state || state.phase === "done" || state.phase === "cancelled";
  // Paused, failed or signed out too: a form saved now is saved without its file.
  const isBusy = !isOver;
  const latest = useRef({ onChange, setUploading });
  useEffect(() => {
    latest.current = { onChange, setUploading };
  });

  // For audio, measures the waveform during the upload.
  const measurement = useRef<Measurement>(undefined);
  const arrived = state?.file;
  useEffect(() => {
    if (!arrived) return;
    latest.current.onChange(arrived);
    if (measurement.current) void peaksOf(arrived).measure(measurement.current);
    measurement.current = undefined;
  }, [arrived]);
  const isCancelled = state?.phase === "cancelled";
  useEffect(() => {
    if (isCancelled) measurement.current?.stop();
  }, [isCancelled]);

  const hasFailed = state?.phase === "failed";
  useEffect(() => {
    const { accept }: { accept: readonly string[] } = folders[folder];
    if (hasFailed && accept.includes("image/*")) toast.error("Failed to upload image");
  }, [hasFailed, folder]);

  useEffect(() => {
    if (!isBusy) return;
    latest.current.setUploading(name, true);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    // Also if the field unmounts before its form, as in a closed dialog.
    return () => {
      latest.current.setUploading(name, false);
      removeEventListener("beforeunload", warn);
    };
  }, [name, isBusy]);

  // Leaving the form pauses the upload; the server stores the parts received so far.
  useEffect(() => () => upload?.pause(), [upload]);

  const begin = (file: File) => {
    const found = problemOf(file, folder);
    setProblem(found);
    if (found) return;
    measurement.current?.stop();
    measurement.current = folder === "podcast-audio" ? new Measurement(file) : undefined;
    setUpload(new FileUpload({ file, folder, field: fieldKey(name), uploadApi }));
  };
  return {
    upload: isOver ? null : upload,
    problem,
    news: state && announce(state),
    begin,
    setProblem,
    clear: () => setUpload(null),
  };
}

const noSubscription = () => () => {};
const noState = () => null;
