import { useEffect, useRef } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { TextArea } from "../../form/fields.tsx";
import { Form, Submit } from "../../form/form.tsx";

type Props = { id: number; isApproved: boolean; onClose: () => void };

/** Opened by a button that it takes the place of: the field gets the focus, and the button once it closes. */
export function AnswerForm({ id, isApproved, onClose }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("textarea")?.focus(), []);
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
              ? "Shown below the comment, under the name of the site and marked as the author's."
              : "The comment is approved with it. Your answer is shown below, marked as the author's."
          }
        />
        <ButtonRow>
          <Submit>{isApproved ? "Publish answer" : "Approve and answer"}</Submit>
          <Button tone="bare" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </Form>
    </div>
  );
}
