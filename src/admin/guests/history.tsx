import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { SentMail } from "#worker/enquiries/owner/contract.ts";
import { StateBadge } from "../settings/state.tsx";

type Props = { mails: SentMail[]; email: string };

/** The emails to the sender, and their delivery. */
export const History = ({ mails, email }: Props) => (
  <section aria-labelledby="history" className="mt-8 max-w-3xl border-t border-rule pt-6">
    <h2 id="history" className="mb-3 font-semibold">
      Sent emails
    </h2>
    {mails.length === 0 ? (
      <p className="text-sm text-muted">{`No emails to ${email} yet.`}</p>
    ) : (
      <ol className="grid gap-5">
        {mails.map((mail) => (
          <Sent key={mail.id} mail={mail} email={email} />
        ))}
      </ol>
    )}
  </section>
);

function Sent({ mail, email }: { mail: SentMail; email: string }) {
  const { outboxId, subject, body, sentBy, sentAt, recordingAt, isCancellation, state, lastError } = mail;
  return (
    <li className="grid gap-1 border-l-2 border-rule pl-4 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere" dir="auto">
          {state === null ? (
            subject
          ) : (
            <Link to={`/admin/settings/mails/${outboxId}`} className="underline-offset-4 hover:underline">
              {subject}
            </Link>
          )}
        </span>
        {state === null ? <Badge>Older than a month</Badge> : <StateBadge state={state} />}
      </p>
      <p className="text-muted wrap-anywhere">
        <span>{`To ${email}, by `}</span>
        <bdi>{sentBy}</bdi>, <DateTime at={sentAt} format={formatDateTime} />
      </p>
      {recordingAt !== null && (
        <p>
          <span>{isCancellation ? "Cancels the recording on " : "Invites to the recording on "}</span>
          <DateTime at={recordingAt} format={formatDateTime} />
        </p>
      )}
      {lastError !== null && state !== "sent" && (
        <p className="text-danger wrap-anywhere">{`The mail server said: ${lastError}`}</p>
      )}
      <details>
        <summary className="w-fit cursor-pointer text-muted">Text</summary>
        <p className="mt-2 whitespace-pre-line wrap-anywhere" dir="auto">
          {body}
        </p>
      </details>
    </li>
  );
}
