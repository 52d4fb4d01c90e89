import { arrayMove } from "@dnd-kit/sortable";
import { Plus, X } from "lucide-react";
import { Fragment, useId, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Button } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { described, Notes } from "#site/ui/field.tsx";
import { SortableList } from "#site/ui/sortable-list.tsx";
import { RowContext, useFieldError, useFormState } from "./context.ts";

type Props<Row> = {
  /** The group; the inputs of a row are named `name.part`. */
  name: string;
  legend: string;
  help?: string;
  /** The label of the button: "Add a person". */
  add: string;
  /** Names a row for a screen reader: "person 2". */
  noun: string;
  initial: Row[];
  empty: Row;
  /** The order counts: rows can be moved, by drag, keyboard or button. */
  sortable?: boolean;
  children: (row: Row) => ReactNode;
};

/** A repeatable group of fields; the inputs are uncontrolled. */
export function Repeated<Row>({
  name,
  legend,
  help,
  add,
  noun,
  initial,
  empty,
  sortable,
  children,
}: Props<Row>) {
  const id = useId();
  const error = useFieldError(name);
  const { markChanged } = useFormState();
  const nextKey = useRef(initial.length + 1);
  const [rows, setRows] = useState(() => initial.map((row, index) => ({ key: index + 1, row })));
  const sentAs = useSentAs(rows);
  const group = useRef<HTMLFieldSetElement>(null);
  const append = () => {
    flushSync(() => setRows([...rows, { key: nextKey.current++, row: empty }]));
    const added = [...(group.current?.querySelectorAll("[role=group]") ?? [])].at(-1);
    added?.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
    markChanged();
  };
  const remove = (index: number) => {
    flushSync(() => setRows(rows.toSpliced(index, 1)));
    // To the next row's, else the one before, else the group.
    const others = group.current?.querySelectorAll<HTMLElement>("[data-remove]");
    (others?.[index] ?? others?.[index - 1] ?? group.current)?.focus();
    markChanged();
  };
  const move = (from: number, to: number) => {
    setRows(arrayMove(rows, from, to));
    markChanged();
  };
  const nameOf = (index: number) => `${noun} ${index + 1}`;
  const rowOf = (key: number) => {
    const index = rows.findIndex((row) => row.key === key);
    return (
      <div
        role="group"
        aria-label={nameOf(index)}
        className={cx("flex min-w-0 flex-1 items-start gap-2", sortable && "py-2")}
      >
        <div className="flex min-w-0 flex-1 flex-wrap gap-3 *:min-w-36 *:flex-1">
          <RowContext value={{ group: name, sentAs: sentAs.get(key) }}>
            {children(rows[index]!.row)}
          </RowContext>
        </div>
        <Button
          tone="bare"
          size="icon"
          aria-label={`Remove ${nameOf(index)}`}
          data-remove
          onClick={() => remove(index)}
          className="mt-6.5"
        >
          <X aria-hidden size={16} />
        </Button>
      </div>
    );
  };
  return (
    // A fieldset cannot be aria-invalid; the attribute marks the focus target of an error.
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
      {sortable ? (
        <SortableList
          items={rows.map(({ key }, index) => ({ id: key, name: nameOf(index) }))}
          total={rows.length}
          label={legend}
          onMove={move}
        >
          {({ id: key }) => rowOf(key)}
        </SortableList>
      ) : (
        rows.map(({ key }) => <Fragment key={key}>{rowOf(key)}</Fragment>)
      )}
      <Button size="sm" className="justify-self-start" onClick={append}>
        <Plus aria-hidden size={14} />
        <span>{add}</span>
      </Button>
    </fieldset>
  );
}

/** The index of each row at the last answer, by key: errors refer to rows by it. */
export function useSentAs<Key>(rows: { key: Key }[]) {
  const { errors } = useFormState();
  const [sent, setSent] = useState({ errors, places: new Map<Key, number>() });
  if (sent.errors === errors) return sent.places;
  const places = new Map(rows.map(({ key }, index) => [key, index]));
  setSent({ errors, places });
  return places;
}
