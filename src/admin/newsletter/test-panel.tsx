import { useState } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import type { EditableLetter, LetterPreviewInput } from "#worker/letters/contract.ts";
import type { TestMailResult } from "#worker/settings/contract.ts";
import { FormSection } from "../form/section.tsx";

type Props = {
  letter: EditableLetter;
  /** The form's current values, saved or not. */
  typed: LetterPreviewInput;
};

export const TestPanel = ({ letter, typed }: Props) => (
  <FormSection title="Test email" help="The letter as it is in the form, saved or not.">
    <TestButton id={letter.id} typed={typed} />
  </FormSection>
);

type Outcome = TestMailResult | { problem: string };

/** Sends the letter's current values to the signed-in user, and shows the result. */
function TestButton({ id, typed }: { id: number; typed: LetterPreviewInput }) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const send = async () => {
    setBusy(true);
    setOutcome(null);
    setOutcome(await sendTest(id, typed));
    setBusy(false);
  };
  return (
    <div className="grid justify-items-start gap-3">
      <Button busy={isBusy} onClick={() => void send()}>
        Send a test to me
      </Button>
      <div role="status">{outcome && <OutcomeNote outcome={outcome} />}</div>
    </div>
  );
}

async function sendTest(id: number, json: LetterPreviewInput): Promise<Outcome> {
  try {
    return await readJson(api.newsletters[":id"].test.$post({ param: { id: String(id) }, json }));
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message };
    return { problem: "The connection was lost. Try again." };
  }
}

function OutcomeNote({ outcome }: { outcome: Outcome }) {
  if ("problem" in outcome)
    return <p className="border-l-4 border-danger pl-3 text-sm font-medium text-danger">{outcome.problem}</p>;
  const { to, isAccepted, answer } = outcome;
  return (
    <p className={`border-l-4 pl-3 text-sm ${isAccepted ? "border-accent" : "border-signal"}`}>
      <span>{isAccepted ? `The test for ${to} is on its way. ` : `The test for ${to} wasn’t sent. `}</span>
      <code translate="no" className="wrap-anywhere">
        {answer}
      </code>
    </p>
  );
}
