import { useState } from "react";
import type { TopicOffer } from "#worker/topics/contract.ts";

/** The fields in which a subscriber chooses every letter, or only those on some topics. They work without scripts, too. */
export function TopicChoice({ topics, chosen }: TopicOffer) {
  const [choice, setChoice] = useState(chosen === null ? "all" : "some");
  const choiceOf = (value: "all" | "some", label: string) => (
    <label className="flex min-h-12 items-center gap-2">
      <input
        type="radio"
        name="choice"
        value={value}
        checked={choice === value}
        onChange={() => setChoice(value)}
        className="size-4"
      />
      <span>{label}</span>
    </label>
  );
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-1.5">
        <legend className="text-sm font-medium">Which letters do you want?</legend>
        {choiceOf("all", "Every letter, also on topics to come")}
        {choiceOf("some", "Only some topics")}
      </fieldset>
      {/* Not disabled: a tick also chooses “Only some topics”. */}
      <fieldset className="grid gap-1.5 border-l-4 border-rule pl-4">
        <legend className="text-sm font-medium">Topics</legend>
        {topics.map(({ id, name, description }) => (
          <label key={id} className="flex min-h-12 items-center gap-2">
            <input
              type="checkbox"
              name="topics[]"
              value={id}
              defaultChecked={chosen?.includes(id) ?? false}
              onChange={() => setChoice("some")}
              className="size-4"
            />
            <span className="min-w-0 wrap-anywhere" dir="auto">
              <span>{name}</span>
              {description && <span className="block text-sm text-muted">{description}</span>}
            </span>
          </label>
        ))}
        <p className="text-sm text-muted">
          Now and then a letter goes to all subscribers, whatever they chose.
        </p>
      </fieldset>
    </div>
  );
}

/** The choice in a form, as the API takes it; nothing for a form without one. */
export const choiceIn = (form: FormData) =>
  form.has("choice") ? { choice: form.get("choice"), topics: form.getAll("topics[]") } : {};
