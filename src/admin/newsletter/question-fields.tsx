import { useEffect, useRef } from "react";
import { QUESTION_LENGTH, type Question } from "#worker/letters/contract.ts";
import { useFormState } from "../form/context.ts";
import { DateTimeField } from "../form/date-time-field.tsx";
import { Checkbox, TextArea, TextField } from "../form/fields.tsx";

/** The question at the end of a letter, in one line that expands to its fields. */
export function QuestionFields({ question }: { question: Question | null }) {
  const details = useRef<HTMLDetailsElement>(null);
  const { errors } = useFormState();
  useEffect(() => {
    // Before the form focuses the first field with an error.
    const hasError = Object.keys(errors?.fields ?? {}).some((field) => field.startsWith("question"));
    if (hasError && details.current) details.current.open = true;
  }, [errors]);
  return (
    <details ref={details} open={question !== null} className="group border-t border-rule py-2">
      <summary className="flex min-h-11 cursor-pointer list-none items-center [&::-webkit-details-marker]:hidden">
        <span>
          <span className="font-medium">Question to readers</span>
          {" · "}
          <span className="link group-open:hidden">{question ? "Change" : "Ask one"}</span>
          <span className="link hidden group-open:inline">Close</span>
        </span>
      </summary>
      <div className="grid gap-5 pt-2 pb-4">
        <p className="text-sm text-muted">
          It comes after the text. Each answer is a link to a page with a button, so that only people count.
          It can’t be changed once the sending has started.
        </p>
        <TextField
          label="Question"
          name="question.text"
          maxLength={QUESTION_LENGTH}
          defaultValue={question?.text}
          help="Leave question and answers blank to ask nothing."
        />
        <TextArea
          label="Answers"
          name="question.answers"
          rows={5}
          defaultValue={question?.answers.join("\n")}
          help="Two to five, each on its own line."
        />
        <DateTimeField
          label="Open until"
          name="question.closesAt"
          value={question?.closesAt ?? null}
          help="Leave blank for 90 days. You can close it sooner."
        />
        <Checkbox
          label="Show the results to readers who have answered"
          name="question.showsResults"
          defaultChecked={question?.showsResults ?? false}
        />
      </div>
    </details>
  );
}
