import { useState } from "react";
import { Button } from "#site/ui/button.tsx";
import type { Generated, GeneratedField } from "#worker/episodes/contract.ts";
import { useFormState } from "../form/context.ts";
import { readMarks, writeMarks } from "./generated-marks.ts";

/** Which fields of the form a model wrote at first. */
export function useGenerated(initial: Generated[]) {
  const { markChanged } = useFormState();
  const [marks, setMarks] = useState(initial);
  const change = (next: Generated[]) => {
    setMarks(next);
    markChanged();
  };
  const others = (field: Generated["field"]) => marks.filter((mark) => mark.field !== field);
  return {
    marks,
    /** As they were saved, or are restored. */
    load: setMarks,
    mark: (field: GeneratedField, model: string) => change([...others(field), { field, model }]),
    unmark: (field: Generated["field"]) => change(others(field)),
  };
}

const names: Record<Generated["field"], string> = {
  title: "Title",
  description: "Description",
  showNotes: "Show notes",
  chapters: "Chapters",
  soundbites: "Soundbites",
  transcript: "Transcript",
  unnamed: "Something that its former feed doesn’t name",
};

/** The list of what a model wrote, which the owner may correct. */
export function GeneratedFields({ marks, load, unmark }: ReturnType<typeof useGenerated>) {
  return (
    <>
      {/* A text area, so that it is saved as a draft like other texts. */}
      <textarea
        hidden
        name="generated"
        value={writeMarks(marks)}
        onChange={(event) => load(readMarks(event.currentTarget.value))}
      />
      {marks.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-sm font-medium">Written by a model</legend>
          <p className="text-sm text-muted">
            A field stays in this list when you edit it. Remove it once nothing of the model’s text is left.
          </p>
          <ul>
            {marks.map(({ field, model }) => (
              <li key={field} className="flex items-center gap-3 border-t border-rule py-1.5 text-sm">
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <span className="font-medium">{names[field]}</span>
                  <span className="text-muted">{`, by ${model}`}</span>
                </span>
                <Button
                  size="sm"
                  tone="bare"
                  aria-label={`Remove mark: ${names[field].toLowerCase()}`}
                  onClick={() => unmark(field)}
                >
                  Remove mark
                </Button>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
    </>
  );
}
