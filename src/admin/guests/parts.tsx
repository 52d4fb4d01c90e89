import type { ReactNode } from "react";
import { useNavigation, useSearchParams } from "react-router";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import type { EnquirySummary, MadeOfIt } from "#worker/enquiries/owner/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { FROM_LIST } from "../lists/dialog-address.ts";
import { boxes, guestPaths, newEpisodeWith } from "./enquiry-kinds.ts";
import { CancelsRecording } from "./recording.tsx";

export const BoxBadge = ({ box }: Pick<EnquirySummary, "box">) => (
  <Badge tone={boxes[box].tone}>{boxes[box].label}</Badge>
);

/** Opens another site in a new tab, without a referrer. Empty for a guest who was added without a link. */
export const ProfileLink = ({ name, href }: { name: string; href: string }) =>
  href !== "" && (
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
  /** The recording to which the applicant is invited; not in lists. */
  recording?: { at: number } | null;
};

/** The decision on a pending application. */
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

type OffersProps = { application: Enquiry & Pick<EnquirySummary, "episode"> };

/** Links to add an approved applicant to an existing or new episode. */
export function EpisodeOffers({ application: { id, box, name, episode } }: OffersProps) {
  const [params] = useSearchParams();
  if (box !== "approved") return null;
  return (
    <>
      <ButtonLink
        to={guestPaths.editPath(params, id)}
        state={FROM_LIST}
        preventScrollReset
        tone={episode ? "quiet" : "primary"}
        size="sm"
        aria-label={`Add to an episode: ${name}`}
      >
        Add to an episode
      </ButtonLink>
      <ButtonLink to={newEpisodeWith(id)} size="sm" aria-label={`New episode with this guest: ${name}`}>
        New episode with this guest
      </ButtonLink>
    </>
  );
}

/** Marks it as spam or not. */
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

/** Why it was classified as spam, or why it cannot be answered. */
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

export const EpisodeLink = ({ id, title }: MadeOfIt) => (
  <Link to={`/admin/podcast/${id}`} className="link" dir="auto">
    {title}
  </Link>
);

export const mayAnswer = ({ box }: Pick<EnquirySummary, "box">) => box !== "spam" && box !== "unconfirmed";

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted max-sm:-mb-2">{name}</dt>
    <dd className="min-w-0 text-left wrap-anywhere" dir="auto">
      {children}
    </dd>
  </>
);
