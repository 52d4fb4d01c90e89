import { useState } from "react";
import { useActionData } from "react-router";
import { ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { answerLimits } from "#worker/enquiries/owner/contract.ts";
import { DateTimeField } from "../form/date-time-field.tsx";
import { TextArea, TextField } from "../form/fields.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { Form, Submit } from "../form/form.tsx";
import { isFormResult } from "../form/result.ts";

/** An email's recipient and initial text. */
export type MailDraft = {
  id: number;
  name: string;
  email: string;
  subject: string;
  /** The quoted text that it answers; empty for none. */
  quote: string;
  mayInvite: boolean;
};

/** The email being written; closes once it is sent. */
export function useMailDialog() {
  const answer: unknown = useActionData();
  const [written, setWritten] = useState<{ draft: MailDraft; intent: string } | null>(null);
  if (isFormResult(answer) && answer.intent === written?.intent && answer.errors === null) setWritten(null);
  return {
    written,
    // A new intent each time, so that it opens without the errors of the last one.
    write: (draft: MailDraft) => setWritten({ draft, intent: `email ${Date.now()}` }),
    close: () => setWritten(null),
  };
}

type Props = Pick<ReturnType<typeof useMailDialog>, "written" | "close">;

const LOST = "Your email isn’t saved.";
const CLOSE = { title: "Close without sending?", confirm: "Discard email", text: LOST };
const LEAVE = { title: "Leave without sending?", confirm: "Leave", text: LOST };

export const MailDialog = ({ written, close }: Props) =>
  written && (
    <FormDialog
      key={written.intent}
      open
      onClose={close}
      question={CLOSE}
      title="Send Email"
      description={
        <span className="wrap-anywhere">
          To <bdi>{written.draft.name}</bdi>
          <span>{`, ${written.draft.email}`}</span>
        </span>
      }
      wide
    >
      <MailForm {...written} />
    </FormDialog>
  );

function MailForm({ draft, intent }: { draft: MailDraft; intent: string }) {
  const [subject, setSubject] = useState(draft.subject);
  const [message, setMessage] = useState(draft.quote);
  const isReady = subject.trim() !== "" && message.trim() !== "" && message !== draft.quote;
  return (
    <Form intent={intent} question={LEAVE}>
      <input type="hidden" name="id" value={draft.id} />
      <TextField
        label="Subject"
        name="subject"
        required
        dir="auto"
        value={subject}
        onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        {...(draft.subject === "" && { "data-first-focus": true })}
      />
      <TextArea
        label="Message"
        name="message"
        required
        rows={10}
        dir="auto"
        value={message}
        onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        {...(draft.subject !== "" && { "data-first-focus": true })}
      />
      {draft.mayInvite && <Invitation />}
      <ButtonRow className="justify-end">
        <CancelButton />
        <Submit disabled={!isReady}>Send Email</Submit>
      </ButtonRow>
    </Form>
  );
}

/** Its fields are in the form only while it is switched on. */
function Invitation() {
  const [isWanted, setWanted] = useState(false);
  return (
    <fieldset className="grid gap-4 border-t border-rule pt-4">
      <Checkbox
        label="Invite to a recording"
        help="The email includes an invitation that adds it to their calendar in one click."
        checked={isWanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.checked)}
      />
      {isWanted && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <DateTimeField label="Recording" name="recording.at" value={null} />
          <TextField
            label="Minutes"
            name="recording.minutes"
            type="number"
            min={5}
            max={1440}
            step={1}
            defaultValue={60}
          />
          <TextField
            label="Place or link"
            name="recording.place"
            maxLength={answerLimits.place}
            className="sm:col-span-2"
          />
        </div>
      )}
    </fieldset>
  );
}
