import { useState } from "react";
import { TextField } from "#site/ui/field.tsx";
import { useLocale } from "#site/ui/locale.ts";
import { fromZoned, toZoned } from "#site/ui/zoned-time.ts";

type Props = { label: string; name: string; value: number | null; help?: string; error?: string };

/**
 * A date and time in the site's time zone; the form gets milliseconds UTC under `name`. The input shows minutes; a value
 * that was not changed keeps its seconds.
 */
export function MomentField({ label, name, value, help, error }: Props) {
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
        error={error}
      />
      <input
        type="hidden"
        name={name}
        value={typed === undefined ? (value ?? "") : typed && fromZoned(typed, timeZone)}
      />
    </>
  );
}
