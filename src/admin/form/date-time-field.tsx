import { useLayoutEffect, useRef, useState } from "react";
import { SelectField } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { useLocale } from "#site/ui/locale.ts";
import { momentsOf, offsetName, toZoned } from "#site/ui/zoned-time.ts";
import { GoesOut } from "../goes-out.tsx";
import { useFieldError } from "./context.ts";

type Props = {
  label: string;
  name: string;
  /** Milliseconds UTC. */
  value: number | null;
  help?: string;
  /** Something goes out then: says when, as people would say it. */
  isSchedule?: boolean;
};

const SKIPPED = "Clocks go forward and skip this time. Choose an earlier or later one.";

/**
 * A date and time in the site's time zone; the form gets milliseconds UTC under `name`. Asks which one is meant where
 * clocks go back and a time occurs twice, and refuses one that they skip. The input shows minutes; a value that was not
 * changed keeps its seconds.
 */
export function DateTimeField({ label, name, value, help, isSchedule }: Props) {
  const { timeZone } = useLocale();
  const error = useFieldError(name);
  const shown = value === null ? "" : toZoned(value, timeZone);
  const [typed, setTyped] = useState(shown);
  const [at, setAt] = useState(value);
  const [saved, setSaved] = useState(value);
  if (saved !== value) {
    // What was saved is shown: an empty date of publishing has become a moment.
    setSaved(value);
    setAt(value);
    setTyped(shown);
  }
  const read = (text: string) => {
    setTyped(text);
    setAt(momentsOf(text, timeZone)[0] ?? null);
  };
  const input = useShown(shown, read);
  const moments = typed === "" ? [] : momentsOf(typed, timeZone);
  const isSkipped = typed !== "" && moments.length === 0;
  const zone = timeZone.replaceAll("_", " ");
  return (
    <>
      <TextField
        label={label}
        type="datetime-local"
        data-field={name}
        // A year of five digits is a slip, and later than dates reach.
        max="9999-12-31T23:59"
        ref={input}
        // Not `value`: for half a date React would set it to "", and Firefox would take the input for an empty one.
        defaultValue={shown}
        onChange={({ currentTarget }) => read(currentTarget.value)}
        help={`${help ? `${help} ` : ""}In the site’s time zone, ${zone}${at === null ? "" : ` (${offsetName(at, timeZone)} then)`}.`}
        error={isSkipped ? SKIPPED : error}
      />
      {moments.length > 1 && (
        <SelectField
          label="Clocks go back, so this time happens twice"
          value={moments.findLast((moment) => at !== null && moment <= at)}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
        >
          {moments.map((moment, index) => (
            <option key={moment} value={moment}>
              {`${index === 0 ? "The first time" : "The second time"}, ${offsetName(moment, timeZone)}`}
            </option>
          ))}
        </SelectField>
      )}
      {isSchedule && <GoesOut at={isSkipped ? null : at} />}
      <input type="hidden" name={name} value={isSkipped ? "NaN" : (at ?? "")} />
    </>
  );
}

/** Shows what was saved once that is something else; `read` gets what was typed before React was there. */
function useShown(shown: string, read: (typed: string) => void) {
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<string | null>(null);
  useLayoutEffect(() => {
    const { current } = input;
    if (!current || before.current === shown) return;
    if (before.current !== null) current.value = shown;
    else if (current.value !== shown) read(current.value);
    before.current = shown;
  });
  return input;
}
