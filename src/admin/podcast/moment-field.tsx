import { useState, useSyncExternalStore } from "react";
import { TextField } from "#site/ui/field.tsx";

type Props = { label: string; name: string; value: number | null; help?: string; error?: string };

/**
 * The field shows minutes; a moment that was not changed keeps its seconds. A date and time in the owner's own zone; the form gets milliseconds UTC under `name`. The server does not know that
 * zone, so the field fills once the browser has taken over.
 */
export function MomentField({ label, name, value, help, error }: Props) {
  const [typed, setTyped] = useState<string>();
  const zone = useSyncExternalStore(never, browserZone, serverZone);
  const local = typed ?? (value === null || zone === "" ? "" : toLocal(value));
  return (
    <>
      <TextField
        label={label}
        type="datetime-local"
        value={local}
        onChange={(event) => setTyped(event.currentTarget.value)}
        help={[help, zone && `Your time zone is ${zone.replaceAll("_", " ")}.`].filter(Boolean).join(" ")}
        error={error}
      />
      <input
        type="hidden"
        name={name}
        value={typed === undefined ? (value ?? "") : typed && new Date(typed).getTime()}
      />
    </>
  );
}

const never = () => () => {};
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const serverZone = () => "";

/** yyyy-mm-ddThh:mm in the browser's zone, as the input wants it. */
function toLocal(ms: number) {
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 16);
}
