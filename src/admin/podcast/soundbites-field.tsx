import { TextField } from "#site/ui/field.tsx";
import { useFieldError } from "../form/context.ts";
import { toTenth, useSound } from "../sound/sound.ts";
import { clockOf, parseTime, writeTime } from "./chapter-lines.ts";
import { MarkList } from "./mark-list.tsx";
import { endOf, timeProblem, type MarkRow, type useMarkRows } from "./mark-rows.ts";
import { TimeField } from "./time-field.tsx";

export type SoundbiteRow = MarkRow & {
  /** Seconds, as typed. */
  duration: string;
};

type Props = { marks: ReturnType<typeof useMarkRows<SoundbiteRow>>; duration: number };

export function SoundbitesField({ marks, duration }: Props) {
  const sound = useSound();
  return (
    <MarkList
      name="soundbites"
      legend="Soundbites"
      noun="soundbite"
      help="15 to 120 seconds that apps may play as a teaser."
      rows={marks.rows}
      onListen={(row) => {
        const start = parseTime(row.start) ?? 0;
        sound?.play(start, start + (parseTime(row.duration) ?? 0));
      }}
      onPlace={({ key }) => sound && marks.move(key, { start: writeTime(sound.position) })}
      onRemove={marks.remove}
      onAdd={() => marks.add({ start: sound ? writeTime(sound.position) : "", duration: "30", title: "" })}
    >
      {(row) => <Fields row={row} {...{ marks, duration }} />}
    </MarkList>
  );
}

function Fields({ row, marks, duration }: Props & { row: SoundbiteRow }) {
  const { key, start, title } = row;
  const titleError = useFieldError("soundbites.title");
  const from = parseTime(start);
  return (
    <>
      <div className="w-28">
        <TimeField
          label="Starts at"
          name="soundbites.start"
          value={start}
          onChange={(time) => marks.change(key, { start: time })}
          problem={timeProblem(start)}
        />
      </div>
      <div className="w-28">
        <TimeField
          label="Seconds"
          name="soundbites.duration"
          value={row.duration}
          onChange={(seconds) => marks.change(key, { duration: seconds })}
          problem={lengthProblem(row, duration)}
          write={String}
          seekTo={(length) => Math.max(from ?? 0, (from ?? 0) + length - LAST)}
        />
      </div>
      <TextField
        label="Title"
        name="soundbites.title"
        value={title}
        maxLength={128}
        error={titleError}
        onChange={(event) => marks.change(key, { title: event.currentTarget.value })}
        className="min-w-44 flex-1"
      />
    </>
  );
}

/** Seconds before its end from which a soundbite is heard when its end moves. */
const LAST = 2;

function lengthProblem({ start, duration: length }: SoundbiteRow, duration: number) {
  const [from, seconds] = [parseTime(start), parseTime(length)];
  if (length.trim() === "") return null;
  if (seconds === null) return "Enter a number of seconds.";
  if (seconds < 15) return "A soundbite lasts at least 15 seconds.";
  if (seconds > 120) return "A soundbite lasts at most 120 seconds.";
  if (from === null || from + seconds <= endOf(duration)) return null;
  return `It would end at ${clockOf(toTenth(from + seconds))}, but the episode ends at ${clockOf(duration)}.`;
}
