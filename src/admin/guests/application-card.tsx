import { Link } from "#site/document/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import type { EnquirySummary } from "#worker/enquiries/owner/contract.ts";
import { enquiryPath } from "./enquiry-kinds.ts";
import {
  BoxBadge,
  Decision,
  EpisodeLink,
  EpisodeOffers,
  mayAnswer,
  ProfileLink,
  SpamButton,
  WhyHidden,
} from "./parts.tsx";

type Props = { application: EnquirySummary<"application">; onWrite: () => void };

export function ApplicationCard({ application, onWrite }: Props) {
  const { id, box, name, email, createdAt, spamReason, episode } = application;
  const { topic, position, linkedinProfile, addedBy } = application.fields;
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
          <span>{addedBy === undefined ? "Applied" : "Added"}</span>{" "}
          <DateTime at={createdAt} format={formatShortDate} />
        </span>
        <ProfileLink name={name} href={linkedinProfile} />
      </p>
      <p className="max-w-3xl font-medium wrap-anywhere" dir="auto">
        {topic}
      </p>
      {position !== "" && (
        <p className="line-clamp-4 max-w-3xl whitespace-pre-line wrap-anywhere" dir="auto">
          {position}
        </p>
      )}
      {episode && (
        <p className="max-w-3xl text-sm wrap-anywhere">
          <span className="text-muted">Guest of</span> <EpisodeLink {...episode} />
        </p>
      )}
      <WhyHidden box={box} spamReason={spamReason} />
      <ButtonRow className="mt-1 gap-2">
        <Decision application={application} />
        <EpisodeOffers application={application} />
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
