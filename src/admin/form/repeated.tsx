import { Plus, X } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Button } from "#site/ui/button.tsx";
import { described, Notes } from "#site/ui/field.tsx";
import { useFieldError, useFormState } from "./context.ts";

type Props<Row> = {
  /** The group; the inputs of a row are called `name.part`. */
  name: string;
  legend: string;
  help?: string;
  /** Says what is added: "Add a person". */
  add: string;
  /** Names a row for a screen reader: "person 2". */
  noun: string;
  initial: Row[];
  empty: Row;
  children: (row: Row) => ReactNode;
};

/** A group of fields that may stand any number of times; the inputs keep their own values. */
export function Repeated<Row>({ name, legend, help, add, noun, initial, empty, children }: Props<Row>) {
  const id = useId();
  const error = useFieldError(name);
  const { markChanged } = useFormState();
  const nextKey = useRef(initial.length);
  const [rows, setRows] = useState(() => initial.map((row, key) => ({ key, row })));
  const group = useRef<HTMLFieldSetElement>(null);
  const append = () => {
    flushSync(() => setRows([...rows, { key: nextKey.current++, row: empty }]));
    const added = [...(group.current?.querySelectorAll("[role=group]") ?? [])].at(-1);
    added?.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
    markChanged();
  };
  const remove = (key: number) => {
    setRows(rows.filter((row) => row.key !== key));
    markChanged();
  };
  return (
    // A group cannot be aria-invalid; the mark is where the focus goes when it has an error.
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-describedby={described(id, help, error)["aria-describedby"]}
      data-invalid={error ? true : undefined}
      className="grid gap-3"
    >
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {(help || error) && (
        <div className="-mt-2 grid gap-1.5">
          <Notes id={id} help={help} error={error} />
        </div>
      )}
      {rows.map(({ key, row }, index) => (
        <div key={key} role="group" aria-label={`${noun} ${index + 1}`} className="flex items-end gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap gap-3 *:min-w-36 *:flex-1">{children(row)}</div>
          <Button
            tone="bare"
            size="icon"
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => remove(key)}
          >
            <X aria-hidden size={16} />
          </Button>
        </div>
      ))}
      <Button size="sm" className="justify-self-start" onClick={append}>
        <Plus aria-hidden size={14} />
        {add}
      </Button>
    </fieldset>
  );
}
