import { useState } from "react";
import { useActionData } from "react-router";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { ConfirmDialog, Dialog } from "#site/ui/dialog.tsx";
import { answerLimits } from "#worker/enquiries/owner/contract.ts";
import { DateTimeField } from "../form/date-time-field.tsx";
import { TextArea, TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { isFormResult } from "../form/result.ts";
import { LeaveQuestion } from "../leave-question.tsx";

/** Whom a mail goes to, and what it begins with. */
export type MailDraft = {
  id: number;
  name: string;
  email: string;
  subject: string;
  /** What it answers, quoted; empty for none. */
  quote: string;
  mayInvite: boolean;
};

/** Which mail is being written; it closes once that is sent. */
export function useMailDialog() {
  const answer: unknown = useActionData();
  const [written, setWritten] = useState<{ draft: MailDraft; intent: string } | null>(null);
  if (isFormResult(answer) && answer.intent === written?.intent && answer.errors === null) setWritten(null);
  return {
    written,
    // Another name each time, so that it opens without the errors of the last one.
    write: (draft: MailDraft) => setWritten({ draft, intent: `email ${Date.now()}` }),
    close: () => setWritten(null),
  };
}

type Props = Pick<ReturnType<typeof useMailDialog>, "written" | "close">;

export const MailDialog = ({ written, close }: Props) =>
  written && <Writing key={written.intent} {...written} onClose={close} />;

type Text = { subject: string; message: string };
type WritingProps = { draft: MailDraft; intent: string; onClose: () => void };

/** What was begun is neither closed nor left without a question. */
function Writing({ draft, intent, onClose }: WritingProps) {
  const [text, setText] = useState<Text>({ subject: draft.subject, message: draft.quote });
  const [isAsked, setAsked] = useState(false);
  const isChanged = text.subject !== draft.subject || text.message !== draft.quote;
  const close = () => (isChanged ? setAsked(true) : onClose());
  return (
    <>
      {/* Before the dialog, which is the last to give the focus back when both close. */}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Close without sending?"
        confirm="Discard email"
        onConfirm={onClose}
      >
        What you wrote is not kept.
      </ConfirmDialog>
      <Dialog
        open
        onOpenChange={(open) => !open && close()}
        title="Send Email"
        description={
          <span className="wrap-anywhere">
            To <bdi>{draft.name}</bdi>, {draft.email}
          </span>
        }
        wide
      >
        <MailForm draft={draft} intent={intent} text={text} onChange={setText} onCancel={close} />
      </Dialog>
      {isChanged && (
        <LeaveQuestion title="Leave without sending?" confirm="Leave">
          What you wrote is not kept.
        </LeaveQuestion>
      )}
    </>
  );
}

type FormProps = Omit<WritingProps, "onClose"> & {
  text: Text;
  onChange: (text: Text) => void;
  onCancel: () => void;
};

function MailForm({ draft, intent, text, onChange, onCancel }: FormProps) {
  const { subject, message } = text;
  const isReady = subject.trim() !== "" && message.trim() !== "" && message !== draft.quote;
  return (
    <Form intent={intent}>
      <input type="hidden" name="id" value={draft.id} />
      <TextField
        label="Subject"
        name="subject"
        required
        dir="auto"
        value={subject}
        onChange={({ currentTarget }) => onChange({ ...text, subject: currentTarget.value })}
        {...(draft.subject === "" && { "data-first-focus": true })}
      />
      <TextArea
        label="Message"
        name="message"
        required
        rows={10}
        dir="auto"
        value={message}
        onChange={({ currentTarget }) => onChange({ ...text, message: currentTarget.value })}
        {...(draft.subject !== "" && { "data-first-focus": true })}
      />
      {draft.mayInvite && <Invitation />}
      <ButtonRow className="justify-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Submit disabled={!isReady}>Send Email</Submit>
      </ButtonRow>
    </Form>
  );
}

/** Its fields are part of the form only while they are wanted. */
function Invitation() {
  const [isWanted, setWanted] = useState(false);
  return (
    <fieldset className="grid gap-4 border-t border-rule pt-4">
      <Checkbox
        label="Invite to a recording"
        help="The mail brings an invitation, which a calendar takes with one press."
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
