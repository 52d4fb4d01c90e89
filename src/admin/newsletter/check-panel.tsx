import { CircleAlert, CircleX } from "lucide-react";
import { useState } from "react";
import { api, ApiError, readJson } from "#site/api.ts";
import { Button } from "#site/ui/button.tsx";
import { counted } from "#site/ui/format.ts";
import type { Finding, LetterPreviewInput } from "#worker/letters/contract.ts";
import { FormSection } from "../form/section.tsx";

type Props = {
  id: number;
  /** The form's current values, saved or not. */
  typed: LetterPreviewInput;
};

type Checked = { typed: LetterPreviewInput; findings: Finding[] } | { problem: string };

/** Checks the letter for problems with its delivery. */
export function CheckPanel({ id, typed }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = async () => {
    setBusy(true);
    setChecked(await checkLetter(id, typed));
    setBusy(false);
  };
  return (
    <FormSection
      title="Before you send"
      help="Checks the subject, pictures, size and sender, and tries every link."
    >
      <div className="grid justify-items-start gap-4">
        <Button busy={isBusy} onClick={() => void check()}>
          {checked ? "Check again" : "Check this letter"}
        </Button>
        <div role="status" className="w-full empty:hidden">
          {checked && <Outcome checked={checked} typed={typed} />}
        </div>
      </div>
    </FormSection>
  );
}

async function checkLetter(id: number, typed: LetterPreviewInput): Promise<Checked> {
  // Only these fields: `typed` may be a whole letter, and the API refuses others.
  const { subject, preheader, content, question } = typed;
  const json = { subject, preheader, content, question };
  try {
    const { items } = await readJson(api.newsletters[":id"].check.$post({ param: { id: String(id) }, json }));
    return { typed, findings: items };
  } catch (error) {
    return { problem: error instanceof ApiError ? error.message : "The connection was lost. Try again." };
  }
}

function Outcome({ checked, typed }: { checked: Checked; typed: LetterPreviewInput }) {
  if ("problem" in checked) return <p className="text-sm font-medium text-danger">{checked.problem}</p>;
  const { findings } = checked;
  const blocking = findings.filter(({ level }) => level === "blocks").length;
  return (
    <div className="grid gap-3">
      <p className="text-sm font-medium">{summaryOf(findings.length, blocking)}</p>
      {checked.typed !== typed && (
        <p className="text-sm text-muted">The letter has changed since this check.</p>
      )}
      {findings.length > 0 && <Findings findings={findings} />}
    </div>
  );
}

export const Findings = ({ findings }: { findings: Finding[] }) => (
  <ul className="border-t border-rule">
    {findings.map((finding) => (
      <FindingRow key={`${finding.code} ${finding.where ?? ""}`} finding={finding} />
    ))}
  </ul>
);

function summaryOf(found: number, blocking: number) {
  if (found === 0) return "No problems found.";
  if (blocking === 0) return `${counted(found, "suggestion")}. You can still send it.`;
  return `Fix ${counted(blocking, "problem")} before you send it.`;
}

const levels = {
  blocks: { word: "Fix:", Icon: CircleX, tone: "text-danger" },
  warns: { word: "Suggestion:", Icon: CircleAlert, tone: "text-signal" },
};

function FindingRow({ finding: { level, message, where } }: { finding: Finding }) {
  const { word, Icon, tone } = levels[level];
  return (
    <li className="grid grid-cols-[1.25rem_1fr] gap-x-3 border-b border-rule py-2.5 text-sm">
      <Icon aria-hidden size={18} className={`mt-0.5 ${tone}`} />
      <p>
        <span className="sr-only">{`${word} `}</span>
        <span>{message}</span>
        {where && <span className="block wrap-anywhere text-muted">{where}</span>}
      </p>
    </li>
  );
}
