import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { Badge } from "#site/ui/badge.tsx";
import type { EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { ConfirmAction } from "../confirm-action.tsx";
import { boxes } from "./names.ts";
import { CancelsRecording } from "./recording.tsx";

export const BoxBadge = ({ box }: Pick<EnquirySummary, "box">) => (
  <Badge tone={boxes[box].tone}>{boxes[box].label}</Badge>
);

/** Opens somebody else's page: nothing of this one is told to it. */
export const ProfileLink = ({ name, href }: { name: string; href: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    className="link"
    aria-label={`LinkedIn profile of ${name} (opens in a new tab)`}
  >
    LinkedIn profile
  </a>
);

type Enquiry = Pick<EnquirySummary, "id" | "box" | "name">;

type DecisionProps = {
  application: Enquiry;
  /** That the applicant is invited to; lists do not know it. */
  recording?: { at: number } | null;
};

/** While it is pending, somebody may decide. */
export function Decision({ application: { id, box, name }, recording }: DecisionProps) {
  const isRejecting = useNavigation().formData?.get("intent") === "reject";
  if (box !== "pending") return null;
  const values = { id: String(id) };
  return (
    <>
      <ActionButton intent="approve" values={values} tone="primary" size="sm" aria-label={`Approve ${name}`}>
        Approve
      </ActionButton>
      {recording ? (
        <ConfirmAction
          intent="reject"
          values={values}
          size="sm"
          label="Reject"
          title="Reject this application?"
          confirm="Reject"
          busy={isRejecting}
        >
          <CancelsRecording at={recording.at} />
        </ConfirmAction>
      ) : (
        <ActionButton intent="reject" values={values} size="sm" aria-label={`Reject ${name}`}>
          Reject
        </ActionButton>
      )}
    </>
  );
}

/** Whether it is taken for spam. */
export function SpamButton({ enquiry: { id, box } }: { enquiry: Enquiry }) {
  if (box === "unconfirmed") return null;
  return (
    <ActionButton intent={box === "spam" ? "not-spam" : "spam"} values={{ id: String(id) }} size="sm">
      {box === "spam" ? "Not spam" : "Spam"}
    </ActionButton>
  );
}

function whySpam(box: EnquirySummary["box"], reason: string) {
  if (box !== "spam") return `Marked as spam until its sender confirmed it by email: ${reason}`;
  return reason === "" ? "Someone on your team marked it as spam." : `Marked as spam: ${reason}`;
}

/** Why it was taken for spam, or why nobody answers it. */
export function WhyHidden({ box, spamReason }: Pick<EnquirySummary, "box" | "spamReason">) {
  if (box === "unconfirmed") {
    return (
      <p className="text-sm text-muted">
        This may be automated. It stays here until its sender confirms it with a link in an email.
      </p>
    );
  }
  if (box !== "spam" && spamReason === "") return null;
  return <p className="text-sm text-muted wrap-anywhere">{whySpam(box, spamReason)}</p>;
}

export const mayAnswer = ({ box }: Pick<EnquirySummary, "box">) => box !== "spam" && box !== "unconfirmed";

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted max-sm:-mb-2">{name}</dt>
    <dd className="min-w-0 text-left wrap-anywhere" dir="auto">
      {children}
    </dd>
  </>
);
