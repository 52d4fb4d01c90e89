import { useState } from "react";
import { Options, SelectField, TextField } from "../form/fields.tsx";

const rhythms = [
  { label: "No fixed schedule", rule: "" },
  { label: "Daily", rule: "FREQ=DAILY" },
  { label: "Every weekday", rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" },
  { label: "Weekly", rule: "FREQ=WEEKLY" },
  { label: "Fortnightly", rule: "FREQ=WEEKLY;INTERVAL=2" },
  { label: "Monthly", rule: "FREQ=MONTHLY" },
  { label: "Every two months", rule: "FREQ=MONTHLY;INTERVAL=2" },
  { label: "Yearly", rule: "FREQ=YEARLY" },
];
const OTHER = "other";

type Props = { words: string; rule: string };

/** The episode schedule: a preset, or a custom recurrence rule with a description. */
export function FrequencyFields({ words, rule }: Props) {
  const [chosen, setChosen] = useState(rhythms.some((rhythm) => rhythm.rule === rule) ? rule : OTHER);
  return (
    <>
      <SelectField
        label="How often"
        name="rhythm"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        <Options of={rhythms.map((rhythm) => [rhythm.rule, rhythm.label])} />
        <option value={OTHER}>Other…</option>
      </SelectField>
      {chosen === OTHER ? (
        <TextField
          label="Recurrence rule"
          name="updateRule"
          maxLength={255}
          defaultValue={rule}
          help="In calendar format (RFC 5545): FREQ=WEEKLY;INTERVAL=2;BYDAY=TU is every second Tuesday."
        />
      ) : (
        <input type="hidden" name="updateRule" value={chosen} />
      )}
      <TextField
        label="How often, in words"
        name="updateFrequency"
        maxLength={128}
        defaultValue={words}
        placeholder="Every second Tuesday"
        help="Podcast apps may show it."
      />
    </>
  );
}
