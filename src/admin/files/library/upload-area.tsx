import { useId, useRef, type RefObject } from "react";
import { useRevalidator } from "react-router";
import { UploadProgress } from "#site/admin/files/upload-progress.tsx";
import { useDropTarget } from "#site/admin/files/use-drop-target.ts";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { counted } from "#site/ui/format.ts";
import { useUploads, type Entry } from "./use-uploads.ts";

/** Accepts one or more files, and shows the progress of their uploads. Stored files are in the list below. */
export function UploadArea() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { revalidate } = useRevalidator();
  const { entries, stored, add, remove } = useUploads(() => void revalidate());
  return (
    <section aria-label="Upload" className="mb-8 grid gap-3">
      <input
        ref={input}
        id={id}
        type="file"
        multiple
        aria-describedby={`${id}-help`}
        className="peer sr-only"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          // Choosing the same file again is a change only from an empty value.
          event.target.value = "";
        }}
      />
      <DropZone inputId={id} onDrop={add} />
      <p id={`${id}-help`} className="text-sm text-muted">
        Pictures up to 10 MB, audio up to 500 MB, documents and videos up to 50 MB. Files you upload here stay
        until you delete them.
      </p>
      <p role="status" className="sr-only">
        {stored > 0 && `${counted(stored, "file")} uploaded. ${counted(entries.length, "file")} left.`}
      </p>
      {entries.length > 0 && (
        <ul className="grid gap-3 sm:grid-cols-2">
          {entries.map((entry) => (
            <li key={entry.key} className="min-w-0">
              <Progress entry={entry} onClose={() => close(() => remove(entry.key), input)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The pressed button disappears, so the field takes the focus. */
function close(remove: () => void, input: RefObject<HTMLInputElement | null>) {
  remove();
  requestAnimationFrame(() => input.current?.focus());
}

function Progress({ entry: { file, problem, upload }, onClose }: { entry: Entry; onClose: () => void }) {
  if (upload) return <UploadProgress upload={upload} onClose={onClose} />;
  return (
    <div className="grid gap-3 rounded-md border border-rule p-4">
      <p className="font-medium wrap-anywhere">{file.name}</p>
      {problem ? (
        <p role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      ) : (
        <p className="text-sm text-muted">Waiting for the others</p>
      )}
      <Button size="sm" tone="bare" className="justify-self-start" onClick={onClose}>
        {problem ? "Dismiss" : "Cancel"}
      </Button>
    </div>
  );
}

type DropZoneProps = { inputId: string; onDrop: (files: File[]) => void };

function DropZone({ inputId, onDrop }: DropZoneProps) {
  const { isOver, events } = useDropTarget((files) => onDrop([...files]));
  return (
    <label
      htmlFor={inputId}
      className={cx(
        "cursor-pointer rounded-md border border-dashed p-6 text-center text-sm text-muted peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus",
        isOver ? "border-accent bg-tint" : "border-edge hover:border-ink",
      )}
      {...events}
    >
      <span className="font-medium text-accent underline underline-offset-2">Choose files</span> or drop them
      here
    </label>
  );
}
