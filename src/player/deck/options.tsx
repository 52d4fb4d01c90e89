import { useAtom } from "jotai";
import { useId, type ChangeEvent, type ReactNode } from "react";
import { Switch } from "#site/ui/switch.tsx";
import { currentTrack, goesOn, type Playback } from "../core/playback.ts";
import { rateLabel, rates } from "../core/rates.ts";
import { leftLabel, sleepAtom, sleepMinutes, useSleepLeft, type Sleep } from "../sleep.ts";
import { useStep } from "../state.ts";

export function SpeedSelect({ playback: { rate } }: { playback: Playback }) {
  const step = useStep();
  const choose = (value: string) => step((now) => ({ ...now, rate: Number(value) }));
  return (
    <Option label="Speed" value={String(rate)} onChoose={choose}>
      {rates.map((one) => (
        <option key={one} value={one}>
          {rateLabel(one)}
        </option>
      ))}
    </Option>
  );
}

/** Autoplay of the next episode: see `goesOn` in `playback.ts`. */
export function GoOnSwitch({ playback }: { playback: Playback }) {
  const step = useStep();
  return (
    <Switch
      label="Play the next episode automatically"
      checked={goesOn(playback)}
      onChange={({ target: { checked } }) => step((now) => ({ ...now, goesOn: checked }))}
    />
  );
}

const OFF = "off";
const END = "end";

/** Shows the time left beside the chosen timer. */
export function SleepSelect({ playback }: { playback: Playback }) {
  const [sleep, setSleep] = useAtom(sleepAtom);
  const left = useSleepLeft();
  const choose = (value: string) => setSleep(sleepFrom(value, currentTrack(playback)?.id ?? 0));
  return (
    <Option
      label="Sleep timer"
      value={valueOf(sleep)}
      onChoose={choose}
      note={left === null ? undefined : `${leftLabel(left)} left`}
    >
      <option value={OFF}>Off</option>
      {sleepMinutes.map((minutes) => (
        <option key={minutes} value={minutes}>
          {`${minutes} minutes`}
        </option>
      ))}
      <option value={END}>End of episode</option>
    </Option>
  );
}

function sleepFrom(value: string, id: number): Sleep | null {
  if (value === OFF) return null;
  if (value === END) return { endOf: id };
  return { minutes: Number(value), at: Date.now() + Number(value) * 60_000 };
}

function valueOf(sleep: Sleep | null) {
  if (!sleep) return OFF;
  return "at" in sleep ? String(sleep.minutes) : END;
}

type OptionProps = {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  note?: string;
  children: ReactNode;
};

function Option({ label, value, onChoose, note, children }: OptionProps) {
  const id = useId();
  return (
    <div className="grid gap-0.5">
      <span className="flex gap-2 text-sm text-muted">
        <label htmlFor={id}>{label}</label>
        {note && <span className="figures text-ink">{note}</span>}
      </span>
      <select
        id={id}
        value={value}
        onChange={({ target }: ChangeEvent<HTMLSelectElement>) => onChoose(target.value)}
        className="figures h-9 min-w-20 border-b border-edge bg-raised text-base hover:border-ink"
      >
        {children}
      </select>
    </div>
  );
}
