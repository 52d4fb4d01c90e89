import { useEffect, useRef } from "react";
import { ButtonRow } from "#site/ui/button.tsx";
import { TextArea } from "../../form/fields.tsx";
import { CancelButton } from "../../form/form-dialog.tsx";
import { Form, Submit } from "../../form/form.tsx";

type Props = { id: number; isApproved: boolean };

/** Replaces the button that opens it: the field gets the focus, and the button gets it back on close. */
export function AnswerForm({ id, isApproved }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After a closing question has returned the focus.
    setTimeout(() => place.current?.querySelector("textarea")?.focus());
  }, []);
  return (
    <div ref={place} className="max-w-3xl pt-2">
      <Form intent="answer">
        <input type="hidden" name="id" value={id} />
        <TextArea
          label="Your answer"
          name="text"
          required
          rows={4}
          help={
            isApproved
              ? "Shown below the comment under the site’s name, marked as the author’s."
              : "This also approves the comment. Your answer is shown below it, marked as the author’s."
          }
        />
        <ButtonRow>
          <Submit>{isApproved ? "Publish answer" : "Approve and answer"}</Submit>
          <CancelButton tone="bare" />
        </ButtonRow>
      </Form>
    </div>
  );
}
