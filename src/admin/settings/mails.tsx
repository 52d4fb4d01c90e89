import { Link } from "#site/ui/link.tsx";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { MailDestination } from "#worker/mail/contract.ts";
import { listMails, type MailSummary } from "#worker/mail/log.ts";
import { load } from "../load.server.ts";
import { StateBadge } from "./state.tsx";
import { pageTitle } from "../page-title.ts";
import type { Route } from "./+types/mails";

export const meta = pageTitle("Email settings");

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(listMails(context.get(siteContext), { before: url.searchParams.get("before") ?? undefined }));

export default function Mails({
  loaderData: { items: mails, next, transport, destination },
}: Route.ComponentProps) {
  return (
    <section aria-labelledby="mails" className="grid gap-4">
      <h2 id="mails" className="text-lg font-semibold">
        Email
      </h2>
      <p className="max-w-xl text-muted">{meaningOf(transport, destination)}</p>
      {mails.length > 0 ? <MailTable mails={mails} /> : <NoMails />}
      {next && (
        <ButtonLink to={`?before=${next}`} className="justify-self-start">
          Older mails
        </ButtonLink>
      )}
    </section>
  );
}

/** Only the outbox is known today; any other name is one that a deployment set by mistake. */
const meaningOf = (transport: string, destination: MailDestination) =>
  ({
    mailbox: `The transport is set to ${transport}, which does not exist. Mails wait until MAIL_TRANSPORT is corrected.`,
    console:
      "The transport is outbox: no mail leaves this machine. Each is kept here and printed on the console.",
    database: "The transport is outbox: no mail is sent. Each is kept here.",
  })[destination];

const NoMails = () => (
  <EmptyState title="No mails yet">Each mail that the site sends is listed here for 30 days.</EmptyState>
);

function MailTable({ mails }: { mails: MailSummary[] }) {
  return (
    <table className="w-full text-left text-sm">
      <thead className="border-b border-edge max-sm:sr-only">
        <tr>
          {["Subject", "State", "To", "Time"].map((title) => (
            <th key={title} scope="col" className="py-2 pr-4 font-medium">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {mails.map((mail) => (
          <MailRow key={mail.id} mail={mail} />
        ))}
      </tbody>
    </table>
  );
}

const MailRow = ({ mail }: { mail: MailSummary }) => (
  <tr className="border-b border-rule align-top max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-4 max-sm:py-2 max-sm:*:py-0.5">
    <td className="py-2 pr-4">
      <Link to={`/admin/settings/mails/${mail.id}`} className="link">
        {mail.subject}
      </Link>
    </td>
    <td className="py-2 pr-4">
      <StateBadge state={mail.state} />
      {mail.state !== "sent" && mail.lastError && (
        <p className="mt-1 max-w-sm text-muted">{mail.lastError}</p>
      )}
    </td>
    <td className="py-2 pr-4 wrap-anywhere text-muted">{mail.to}</td>
    <td className="py-2 whitespace-nowrap figures">
      <DateTime at={mail.createdAt} format={formatDateTime} />
    </td>
  </tr>
);
