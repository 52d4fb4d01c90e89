import { useSyncExternalStore } from "react";
import { formatLeft, formatSize, percent } from "#site/admin/files/format.ts";
import { isRunning, type FileUpload, type UploadState } from "#site/admin/files/upload.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { ProgressBar } from "#site/ui/progress.tsx";

type UploadProgressProps = { upload: FileUpload; onClose: () => void };

/** The progress of an upload, and its buttons. */
export function UploadProgress({ upload, onClose }: UploadProgressProps) {
  const state = useSyncExternalStore(upload.subscribe, upload.getState, upload.getState);
  const { sent, size, error } = state;
  const isOver = state.phase === "failed" && !state.canResume;
  return (
    <div className="grid gap-3 rounded-md border border-rule p-4">
      <p className="font-medium break-words">{upload.name}</p>
      <ProgressBar value={sent / size} label={`Upload of ${upload.name}`} />
      <p className="text-sm text-muted tabular-nums">{describe(state)}</p>
      {error && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      <ButtonRow>
        {isOver ? (
          <Button size="sm" onClick={onClose}>
            Choose another file
          </Button>
        ) : (
          <Running upload={upload} state={state} onClose={onClose} />
        )}
      </ButtonRow>
    </div>
  );
}

type RunningProps = UploadProgressProps & { state: UploadState };

/** Pause and Resume share a key, and so an element, which keeps the focus. */
function Running({ upload, state, onClose }: RunningProps) {
  const cancel = () => {
    void upload.cancel();
    onClose();
  };
  return (
    <>
      {isRunning(state) ? (
        <Button key="run" size="sm" onClick={() => upload.pause()}>
          Pause
        </Button>
      ) : (
        <Button key="run" size="sm" tone="primary" onClick={() => upload.resume()}>
          Resume
        </Button>
      )}
      {state.phase === "waiting" && (
        <Button size="sm" onClick={() => upload.resume()}>
          Try now
        </Button>
      )}
      <Button size="sm" tone="bare" onClick={cancel}>
        Cancel
      </Button>
    </>
  );
}

function describe({ phase, sent, size, secondsLeft }: UploadState) {
  const amount = `${percent(sent, size)} % · ${formatSize(sent)} of ${formatSize(size)}`;
  switch (phase) {
    case "finishing":
      return "Uploaded. Reading the file…";
    case "waiting":
      return `${amount} · The connection was interrupted. Trying again…`;
    case "paused":
      return `${amount} · Paused`;
    default:
      return secondsLeft === null ? amount : `${amount} · ${formatLeft(secondsLeft)}`;
  }
}

/** For screen readers: each change of state, and each quarter. */
export function announce({ phase, sent, size }: UploadState) {
  const quarter = Math.floor(percent(sent, size) / 25) * 25;
  switch (phase) {
    case "uploading":
      return quarter === 0 ? "Uploading" : `${quarter} % uploaded`;
    case "finishing":
      return "Uploaded. Reading the file.";
    case "waiting":
      return "The connection was interrupted. Trying again.";
    case "paused":
      return "Upload paused";
    case "done":
      return "Upload complete";
    default:
      return "";
  }
}
