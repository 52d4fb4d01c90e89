import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { ChooseFile } from "#site/admin/files/library/choose-file.tsx";
import { formatSize } from "#site/admin/files/format.ts";
import { InterruptedUpload, useInterruptedUpload } from "#site/admin/files/interrupted-upload.tsx";
import { UploadProgress } from "#site/admin/files/upload-progress.tsx";
import { useDropTarget } from "#site/admin/files/use-drop-target.ts";
import { useUpload } from "#site/admin/files/use-upload.ts";
import { useFieldError, useFormState } from "#site/admin/form/context.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { formatTime } from "#site/ui/format.ts";
import { faultsInWords, folders, type FileFolder, type StoredFile } from "#worker/files/contract.ts";

type FileFieldProps = {
  label: string;
  /** The form's name for the file's id. */
  name: string;
  folder: FileFolder;
  value: StoredFile | null;
  onChange: (file: StoredFile | null) => void;
  help?: ReactNode;
  /** A file dropped or pasted elsewhere: uploaded immediately. */
  dropped?: File;
  /** A notice about the stored file; problems with the length of audio are shown automatically. */
  notice?: string;
  /** Creates a better copy of the stored file when the owner presses its button. */
  copy?: { label: string; help: string; make: () => Promise<File> };
  /** Only a new file is accepted, not a stored one. */
  newOnly?: boolean;
};

const NO_COPY = "The copy couldn’t be made. Change the picture in another program, then upload it again.";

/** Chooses a file, uploads it in parts, and shows the stored one. A form saved during the upload has the old file. */
export function FileField({
  label,
  name,
  folder,
  value,
  onChange,
  help,
  dropped,
  notice,
  copy,
  newOnly,
}: FileFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { errors, markChanged } = useFormState();
  // An error applies to the submitted file, not to the next one.
  const [answered, setAnswered] = useState<typeof errors>(null);
  const error = useFieldError(name);
  const change = (file: StoredFile | null) => {
    onChange(file);
    setAnswered(errors);
    markChanged();
  };
  const { upload, problem, news, begin, setProblem, clear } = useUpload({ name, folder, onChange: change });
  const [isCopying, setCopying] = useState(false);
  const stopped = useInterruptedUpload(name);
  const shown = problem ?? (errors === answered ? undefined : error);
  const stored = upload ? null : value;
  const known = stored && !shown && (notice ?? faultsInWords(stored));
  const notes = [shown && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");

  const choose = (file: File | undefined) => {
    if (!file) return;
    stopped.dismiss();
    begin(file);
  };

  const chooseLatest = useRef(choose);
  useEffect(() => {
    chooseLatest.current = choose;
  });
  useEffect(() => chooseLatest.current(dropped), [dropped]);

  const takeCopy = async () => {
    setCopying(true);
    try {
      choose(await copy?.make());
    } catch (failure) {
      console.error("uploads:", failure);
      setProblem(NO_COPY);
    }
    setCopying(false);
  };

  // The focused button is about to be removed, so the field takes the focus.
  const close = () => {
    clear();
    requestAnimationFrame(() => input.current?.focus());
  };

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input type="hidden" name={name} value={value?.id ?? ""} />
      <input
        ref={input}
        id={id}
        type="file"
        accept={folders[folder].accept.join(",")}
        disabled={upload !== null}
        aria-describedby={notes || undefined}
        aria-invalid={shown ? true : undefined}
        className="peer sr-only"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // Choosing the same file again is a change only from an empty value.
          event.target.value = "";
        }}
      />
      {upload ? (
        <UploadProgress upload={upload} onClose={close} />
      ) : (
        <DropZone inputId={id} onDrop={choose} isEmpty={!value}>
          {value && (
            <Stored
              file={value}
              onReplace={() => input.current?.click()}
              onRemove={() => {
                change(null);
                input.current?.focus();
              }}
              label={label}
            />
          )}
        </DropZone>
      )}
      {!upload && !newOnly && (
        <ChooseFile
          label={label}
          kind={folder === "podcast-audio" ? "audio" : "picture"}
          onChoose={(file) => {
            setProblem(null);
            change(file);
          }}
        />
      )}
      <p aria-live="polite" className="sr-only">
        {news}
      </p>
      {!upload && stopped.upload && <InterruptedUpload upload={stopped.upload} onDiscard={stopped.discard} />}
      <div role="status" className="contents">
        {known && <p className="border-l-4 border-signal bg-tint px-4 py-3 text-sm">{known}</p>}
      </div>
      {shown && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {shown}
        </p>
      )}
      {stored && copy && (
        <div className="my-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Button size="sm" busy={isCopying} aria-describedby={`${id}-copy`} onClick={() => void takeCopy()}>
            {copy.label}
          </Button>
          <p id={`${id}-copy`} className="text-sm text-muted">
            {copy.help}
          </p>
        </div>
      )}
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
    </div>
  );
}

type DropZoneProps = {
  inputId: string;
  isEmpty: boolean;
  onDrop: (file: File | undefined) => void;
  children: ReactNode;
};

/** Accepts a dropped file; while no file is stored, also opens the file dialog. */
function DropZone({ inputId, isEmpty, onDrop, children }: DropZoneProps) {
  const { isOver, events } = useDropTarget(([file]) => onDrop(file));
  const className = cx(
    "rounded-md border p-4 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus",
    isOver ? "border-accent bg-tint" : isEmpty ? "border-dashed border-edge hover:border-ink" : "border-rule",
  );
  if (!isEmpty) {
    return (
      <div role="presentation" className={className} {...events}>
        {children}
      </div>
    );
  }
  return (
    <label
      htmlFor={inputId}
      className={cx(className, "cursor-pointer text-center text-sm text-muted")}
      {...events}
    >
      <span className="font-medium text-accent underline underline-offset-2">Choose a file</span> or drop it
      here
    </label>
  );
}

type StoredProps = { file: StoredFile; label: string; onReplace: () => void; onRemove: () => void };

function Stored({ file, label, onReplace, onRemove }: StoredProps) {
  const facts = [
    // Unknown for a picture embedded in audio.
    file.size > 0 && formatSize(file.size),
    file.durationSeconds && formatTime(file.durationSeconds),
    file.width && file.height && `${file.width} × ${file.height} px`,
  ];
  return (
    <div className="flex flex-wrap items-start gap-4">
      {file.type.startsWith("image/") && (
        <img src={file.url} alt="" width={128} className="h-auto w-32 bg-tint" loading="lazy" />
      )}
      <div className="grid min-w-0 flex-1 gap-3">
        <div>
          <p className="font-medium break-words">{file.name}</p>
          <p className="text-sm text-muted tabular-nums">{facts.filter(Boolean).join(" · ")}</p>
        </div>
        {file.type.startsWith("audio/") && <Listen file={file} />}
        <ButtonRow>
          <Button size="sm" onClick={onReplace} aria-label={`Replace ${label}`}>
            Replace
          </Button>
          <Button size="sm" tone="bare" onClick={onRemove} aria-label={`Remove ${label}`}>
            Remove
          </Button>
        </ButtonRow>
      </div>
    </div>
  );
}

const Listen = ({ file }: { file: StoredFile }) => (
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- The owner hears their own file, which has no captions yet.
  <audio controls preload="none" src={file.url} aria-label={file.name} className="w-full max-w-md" />
);
