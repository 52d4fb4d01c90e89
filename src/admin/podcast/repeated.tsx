import { Plus, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Button } from "#site/ui/button.tsx";

type Props<Row> = {
  legend: string;
  help?: string;
  error?: string;
  /** Says what is added: "Add a person". */
  add: string;
  /** Names a row for a screen reader: "person 2". */
  noun: string;
  initial: Row[];
  empty: Row;
  children: (row: Row) => ReactNode;
};

/** A group of fields that may stand any number of times; the inputs keep their own values. */
export function Repeated<Row>({ legend, help, error, add, noun, initial, empty, children }: Props<Row>) {
  const next = useRef(initial.length);
  const [rows, setRows] = useState(() => initial.map((row, key) => ({ key, row })));
  const group = useRef<HTMLFieldSetElement>(null);
  const append = () => {
    flushSync(() => setRows([...rows, { key: next.current++, row: empty }]));
    const added = [...(group.current?.querySelectorAll("[role=group]") ?? [])].at(-1);
    added?.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
  };
  return (
    <fieldset ref={group} className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {help && <p className="-mt-2 text-sm text-muted">{help}</p>}
      {error && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {rows.map(({ key, row }, index) => (
        <div key={key} role="group" aria-label={`${noun} ${index + 1}`} className="flex items-end gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap gap-3 *:min-w-36 *:flex-1">{children(row)}</div>
          <Button
            tone="bare"
            size="icon"
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => setRows(rows.filter((other) => other.key !== key))}
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
