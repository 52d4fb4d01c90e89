import { useState } from "react";
import { useNavigation } from "react-router";
import { TextArea } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";

const INTENT = "notes";

type Props = { id: number; notes: string; notesAt: number };

/** The owner's notes. Typed text survives a reload of the data, and never overwrites newer notes without a question. */
export function Notes({ id, notes, notesAt }: Props) {
  const [typed, setTyped] = useState(notes);
  /** The version that the typed text began with. */
  const [base, setBase] = useState({ notes, notesAt });
  const [sent, setSent] = useState(notes);
  const { formData } = useNavigation();
  const sending = formData?.get("intent") === INTENT ? String(formData.get("notes")).trim() : sent;
  if (sending !== sent) setSent(sending);
  if (notesAt !== base.notesAt) {
    const isUnchanged = [base.notes, notes].includes(typed.trim());
    if (isUnchanged) setTyped(notes);
    // Text typed since the user's own save is based on that save.
    if (isUnchanged || notes === sent) setBase({ notes, notesAt });
  }
  return (
    <section aria-labelledby="notes" className="mt-8 max-w-3xl border-t border-rule pt-6">
      <h2 id="notes" className="mb-3 font-semibold">
        Notes
      </h2>
      <Form intent={INTENT} basedOn={base.notesAt} className="grid gap-3">
        <input type="hidden" name="id" value={id} />
        <TextArea
          label="Your notes"
          name="notes"
          rows={3}
          dir="auto"
          help="Only admins see these. If this person asks for their data, your notes are included."
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <div>
          <Submit tone="quiet">Save notes</Submit>
        </div>
      </Form>
    </section>
  );
}
