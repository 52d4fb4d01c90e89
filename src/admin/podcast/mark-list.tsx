import { MapPin, Play, X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Button } from "#site/ui/button.tsx";
import { described, Notes } from "#site/ui/field.tsx";
import { useId } from "react";
import { RowContext, useFieldError } from "../form/context.ts";
import { useSentAs } from "../form/repeated.tsx";
import { useSound } from "../sound/sound.ts";
import type { MarkRow } from "./mark-rows.ts";

type Props<Row extends MarkRow> = {
  /** The form's name of the group. */
  name: string;
  legend: string;
  /** Names a row: "chapter 2". */
  noun: string;
  help: string;
  rows: Row[];
  children: (row: Row) => ReactNode;
  onListen: (row: Row) => void;
  /** Moves a row to the position that is heard. */
  onPlace: (row: Row) => void;
  onRemove: (key: string) => void;
  onAdd: () => void;
  /** Beside the button that adds one. */
  actions?: ReactNode;
};

/** Chapters or soundbites as fields, one row each. */
export function MarkList<Row extends MarkRow>({
  name,
  legend,
  noun,
  help,
  rows,
  children,
  onListen,
  onPlace,
  onRemove,
  onAdd,
  actions,
}: Props<Row>) {
  const id = useId();
  const sound = useSound();
  const error = useFieldError(name);
  const group = useRef<HTMLFieldSetElement>(null);
  const sentAs = useSentAs(rows);
  const add = () => {
    const known = new Set(rows.map(({ key }) => key));
    flushSync(onAdd);
    // Focuses the next field to type in: the time if no audio is loaded, otherwise the title.
    const added = [...(group.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].find(
      ({ dataset }) => !known.has(dataset["row"] ?? ""),
    );
    added?.querySelector<HTMLElement>(sound && noun === "chapter" ? "[name$='.title']" : "input")?.focus();
  };
  const remove = (key: string, at: number) => {
    flushSync(() => onRemove(key));
    const others = group.current?.querySelectorAll<HTMLElement>("[data-remove]");
    (others?.[at] ?? others?.[at - 1] ?? group.current)?.focus();
  };
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-describedby={described(id, help, error)["aria-describedby"]}
      data-invalid={error ? true : undefined}
      className="grid gap-3"
    >
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="-mt-2 grid gap-1.5">
        <Notes id={id} help={help} error={error} />
      </div>
      <ul className="grid gap-4 empty:hidden">
        {rows.map((row, at) => (
          <li key={row.key} data-row={row.key} className="border-t border-rule pt-3">
            <div role="group" aria-label={`${noun} ${at + 1}`} className="grid gap-2">
              <div className="flex flex-wrap items-start gap-3">
                <RowContext value={{ group: name, sentAs: sentAs.get(row.key) }}>{children(row)}</RowContext>
              </div>
              <div className="flex flex-wrap items-center gap-1">
                <span aria-hidden className="mr-auto text-sm text-muted tabular-nums">
                  {at + 1}
                </span>
                {sound && (
                  <>
                    <Button
                      size="sm"
                      tone="bare"
                      aria-label={`Listen to ${noun} ${at + 1}`}
                      onClick={() => onListen(row)}
                    >
                      <Play aria-hidden size={14} />
                      Listen
                    </Button>
                    <Button
                      size="sm"
                      tone="bare"
                      aria-label={`Move here: ${noun} ${at + 1} to the current position`}
                      onClick={() => onPlace(row)}
                    >
                      <MapPin aria-hidden size={14} />
                      Move here
                    </Button>
                  </>
                )}
                <Button
                  size="icon"
                  tone="bare"
                  className="size-8"
                  data-remove
                  aria-label={`Remove ${noun} ${at + 1}`}
                  onClick={() => remove(row.key, at)}
                >
                  <X aria-hidden size={16} />
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" onClick={add}>
          {sound && noun === "chapter" ? "Add chapter here" : `Add a ${noun}`}
        </Button>
        {actions}
      </div>
    </fieldset>
  );
}
