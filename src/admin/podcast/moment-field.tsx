import { useEffect, useState } from "react";
import { TextField } from "#site/ui/field.tsx";

type Props = { label: string; name: string; value: number | null; help?: string; error?: string };

/**
 * A date and time in the owner's own zone; the form gets milliseconds UTC under `name`. The server does not know that
 * zone, so the field fills once the browser has taken over.
 */
export function MomentField({ label, name, value, help, error }: Props) {
  const [local, setLocal] = useState("");
  const [zone, setZone] = useState("");
  useEffect(() => {
    setLocal(value === null ? "" : toLocal(value));
    setZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, [value]);
  const moment = local === "" ? "" : String(new Date(local).getTime());
  return (
    <>
      <TextField
        label={label}
        type="datetime-local"
        value={local}
        onChange={(event) => setLocal(event.currentTarget.value)}
        help={[help, zone && `Your time zone is ${zone.replaceAll("_", " ")}.`].filter(Boolean).join(" ")}
        error={error}
      />
      <input type="hidden" name={name} value={moment} />
    </>
  );
}

/** yyyy-mm-ddThh:mm in the browser's zone, as the input wants it. */
function toLocal(ms: number) {
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 16);
}
