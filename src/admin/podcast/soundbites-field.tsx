import type { Soundbite } from "#worker/episodes/contract.ts";
import { TextField } from "../form/fields.tsx";
import { Repeated } from "../form/repeated.tsx";
import { writeTime } from "./chapter-lines.ts";

export const SoundbitesField = ({ soundbites }: { soundbites: Soundbite[] }) => (
  <Repeated
    name="soundbites"
    legend="Soundbites"
    noun="soundbite"
    add="Add a soundbite"
    help="15 to 120 seconds that apps may offer as a taste."
    initial={soundbites.map(({ start, duration, title }) => ({
      start: writeTime(start),
      duration: String(duration),
      title,
    }))}
    empty={{ start: "", duration: "30", title: "" }}
  >
    {(row) => (
      <>
        <TextField label="Starts at" name="soundbites.start" placeholder="1:15" defaultValue={row.start} />
        <TextField
          label="Seconds"
          name="soundbites.duration"
          inputMode="numeric"
          defaultValue={row.duration}
        />
        <TextField label="Title" name="soundbites.title" maxLength={128} defaultValue={row.title} />
      </>
    )}
  </Repeated>
);
