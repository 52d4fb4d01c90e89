import { useLayoutEffect, useRef, useState } from "react";
import { SelectField } from "#site/ui/controls.tsx";
import { TextField } from "#site/ui/field.tsx";
import { useLocale } from "#site/ui/locale.ts";
import { momentsOf, offsetName, toZoned } from "#worker/platform/time/zoned-time.ts";
import { GoesOut } from "./scheduled-time.tsx";
import { useFieldError } from "./context.ts";

type Props = {
  label: string;
  name: string;
  /** Milliseconds UTC. */
  value: number | null;
  help?: string;
  /** Whether the time schedules a publication, and is also shown as a sentence. */
  isSchedule?: boolean;
};

const SKIPPED = "Clocks go forward and skip this time. Choose an earlier or later one.";

/**
 * A date and time in the site's time zone; the form gets milliseconds UTC under `name`. If clocks go back and a time
 * occurs twice, asks which one is meant; refuses a time that they skip. The input shows minutes; a value that was not
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
    // Show the saved value: an empty publication date has become a time.
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
        // A year of five digits is a mistake, and out of range.
        max="9999-12-31T23:59"
        ref={input}
        // Not `value`: for an incomplete date React would set it to "", and Firefox would clear the input.
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

/** Shows the saved value once it changes; `read` gets text typed before hydration. */
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
