import { X } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "#site/ui/button.tsx";
import { described, Notes, TextField } from "#site/ui/field.tsx";
import type { Alternate } from "#worker/episodes/contract.ts";
import { ChooseFile } from "../files/library/choose-file.tsx";
import { RowContext, useFieldError, useFormState } from "../form/context.ts";
import { useSentAs } from "../form/repeated.tsx";

const HELP =
  "A smaller file for slow connections, or a video: apps that can play it offer it beside the recording. Read by Podverse, Podcast Addict, CurioCaster and PodLP.";

type Row = Alternate & { key: number };

/** Further files of the episode, chosen from the library. */
export function AlternatesField({ alternates }: { alternates: Alternate[] }) {
  const { markChanged } = useFormState();
  const next = useRef(alternates.length);
  const [rows, setRows] = useState<Row[]>(() => alternates.map((row, key) => ({ ...row, key })));
  const group = useRef<HTMLFieldSetElement>(null);
  const error = useFieldError("alternates");
  const sentAs = useSentAs(rows);
  const add = (url: string) => {
    setRows([...rows, { key: next.current++, url, title: "" }]);
    markChanged();
  };
  const remove = (key: number) => {
    flushSync(() => setRows(rows.filter((row) => row.key !== key)));
    group.current?.focus();
    markChanged();
  };
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-describedby={described("alternates", HELP, error)["aria-describedby"]}
      data-invalid={error ? true : undefined}
      className="grid gap-3"
    >
      <legend className="mb-1.5 text-sm font-medium">Further files</legend>
      <div className="-mt-2 grid gap-1.5">
        <Notes id="alternates" help={HELP} error={error} />
      </div>
      {rows.map((row, at) => (
        <div key={row.key} role="group" aria-label={`file ${at + 1}`}>
          <RowContext value={{ group: "alternates", sentAs: sentAs.get(row.key) }}>
            <FileRow row={row} label={`Remove file ${at + 1}`} onRemove={() => remove(row.key)} />
          </RowContext>
        </div>
      ))}
      <div className="flex flex-wrap gap-x-6">
        <ChooseFile label="an audio file" kind="audio" onChoose={({ url }) => add(url)} />
        <ChooseFile label="a video" kind="other" onChoose={({ url }) => add(url)} />
      </div>
    </fieldset>
  );
}

type FileRowProps = { row: Row; label: string; onRemove: () => void };

function FileRow({ row: { url, title }, label, onRemove }: FileRowProps) {
  const problem = useFieldError("alternates.url");
  const titleError = useFieldError("alternates.title");
  return (
    <div className="flex items-start gap-3">
      <div className="grid min-w-0 flex-1 gap-1.5">
        <input type="hidden" name="alternates.url" value={url} />
        <TextField
          label={`Name of ${url.split("/").at(-1)}`}
          name="alternates.title"
          maxLength={32}
          defaultValue={title}
          placeholder="Low bandwidth"
          error={problem ?? titleError}
        />
      </div>
      <Button tone="bare" size="icon" aria-label={label} onClick={onRemove} className="mt-6.5">
        <X aria-hidden size={16} />
      </Button>
    </div>
  );
}
