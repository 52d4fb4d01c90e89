import { useState } from "react";
import { TextField } from "#site/ui/field.tsx";
import { useLocale } from "#site/ui/locale.ts";
import { fromZoned, toZoned } from "#site/ui/zoned-time.ts";
import { useFieldError } from "./context.ts";

type Props = {
  label: string;
  name: string;
  /** Milliseconds UTC. */
  value: number | null;
  help?: string;
};

/**
 * A date and time in the site's time zone; the form gets milliseconds UTC under `name`. The input shows minutes; a value
 * that was not changed keeps its seconds.
 */
export function DateTimeField({ label, name, value, help }: Props) {
  const { timeZone } = useLocale();
  const [typed, setTyped] = useState<string>();
  return (
    <>
      <TextField
        label={label}
        type="datetime-local"
        value={typed ?? (value === null ? "" : toZoned(value, timeZone))}
        onChange={(event) => setTyped(event.currentTarget.value)}
        help={[help, `The site’s time zone is ${timeZone.replaceAll("_", " ")}.`].filter(Boolean).join(" ")}
        error={useFieldError(name)}
      />
      <input
        type="hidden"
        name={name}
        value={typed === undefined ? (value ?? "") : typed && fromZoned(typed, timeZone)}
      />
    </>
  );
}
