import { Link } from "#site/document/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import type { EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import { enquiryPath } from "./names.ts";
import { BoxBadge, Decision, mayAnswer, ProfileLink, SpamButton, WhyHidden } from "./parts.tsx";

type Props = { application: EnquirySummary<"application">; onWrite: () => void };

export function ApplicationCard({ application, onWrite }: Props) {
  const { id, box, name, email, createdAt, spamReason } = application;
  const { topic, position, linkedinProfile } = application.fields;
  return (
    <li className="grid gap-2 border-t border-rule py-5">
      <header className="flex items-start justify-between gap-4">
        <h2 className="min-w-0 font-semibold wrap-anywhere" dir="auto">
          <Link to={enquiryPath("application", id)} className="underline-offset-4 hover:underline">
            {name}
          </Link>
        </h2>
        <BoxBadge box={box} />
      </header>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-muted">
        <span className="wrap-anywhere">{email}</span>
        <span className="whitespace-nowrap figures">
          Applied <DateTime at={createdAt} format={formatShortDate} />
        </span>
        <ProfileLink name={name} href={linkedinProfile} />
      </p>
      <p className="max-w-3xl font-medium wrap-anywhere" dir="auto">
        {topic}
      </p>
      <p className="line-clamp-4 max-w-3xl whitespace-pre-line wrap-anywhere" dir="auto">
        {position}
      </p>
      <WhyHidden box={box} spamReason={spamReason} />
      <ButtonRow className="mt-1 gap-2">
        <Decision application={application} />
        {mayAnswer(application) ? (
          <Button size="sm" onClick={onWrite} aria-label={`Send Email to ${name}`}>
            Send Email
          </Button>
        ) : (
          <SpamButton enquiry={application} />
        )}
      </ButtonRow>
    </li>
  );
}
