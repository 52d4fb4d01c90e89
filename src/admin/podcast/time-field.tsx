import type { KeyboardEvent } from "react";
import { TextField } from "#site/ui/field.tsx";
import { useFieldError } from "../form/context.ts";
import { useSound } from "../sound/sound.ts";
import { parseTime, writeTime } from "./chapter-lines.ts";

type Props = {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with it, as far as the browser knows. */
  problem: string | null;
  /** How a number of seconds is written. */
  write?: (seconds: number) => string;
  /** Where the sound is when this field changes by a key, of the new value in seconds. */
  seekTo?: (value: number) => number;
};

/** A time that is typed, or moved by the arrow keys, and heard. */
export function TimeField({ label, name, value, onChange, problem, write = writeTime, seekTo }: Props) {
  const sound = useSound();
  const error = useFieldError(name);
  const nudge = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const seconds = parseTime(value);
    if (step === undefined || seconds === null) return;
    event.preventDefault();
    const moved = Math.max(0, Math.round((seconds + step * (event.shiftKey ? 1 : 0.1)) * 10) / 10);
    onChange(write(moved));
    sound?.seek(seekTo?.(moved) ?? moved);
  };
  return (
    <TextField
      label={label}
      name={name}
      value={value}
      placeholder="1:15"
      autoComplete="off"
      error={problem ?? error}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={nudge}
      className="[&_input]:tabular-nums"
    />
  );
}
