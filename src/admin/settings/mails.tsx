import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { MailDestination } from "#worker/mail/contract.ts";
import { listMails, type MailSummary } from "#worker/mail/log.ts";
import type { Settings } from "#worker/settings/contract.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { load } from "../load.server.ts";
import { emailForm } from "./input.ts";
import { saveSettings } from "./save.ts";
import { StateBadge } from "./state.tsx";
import { pageTitle } from "../page-title.ts";
import type { Route } from "./+types/mails";

export const meta = pageTitle("Email settings");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [settings, mails] = await Promise.all([load(readSettings(ctx)), load(listMails(ctx, { before }))]);
  return { settings, mails };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveSettings(request, emailForm);

export default function Email({ loaderData: { settings, mails } }: Route.ComponentProps) {
  return (
    <>
      <SenderForm settings={settings} />
      <Mails {...mails} />
    </>
  );
}

function SenderForm({ settings: { site, mailFrom, updatedAt } }: { settings: Settings }) {
  const { fromName, fromEmail, replyTo } = site.email;
  return (
    <PageForm submit="Save Changes" basedOn={updatedAt}>
      <FormSection title="Sender" help="Of every mail that the site sends.">
        <TextField
          label="From Name"
          name="email.fromName"
          maxLength={100}
          placeholder={site.name}
          defaultValue={fromName}
          help="Empty: the site’s name."
        />
        <TextField
          label="From Email"
          name="email.fromEmail"
          type="email"
          placeholder={mailFrom}
          defaultValue={fromEmail}
          help={`Empty: ${mailFrom}, the MAIL_FROM of the deployment. Another address has to be at the same domain, whose DNS says who may send for it (SPF, DKIM, DMARC); to change the domain, run npm run deploy.`}
        />
        <TextField
          label="Reply-To"
          name="email.replyTo"
          type="email"
          defaultValue={replyTo}
          help="Where answers to the site’s mails go, at any domain. Empty: to the From Email."
        />
      </FormSection>
    </PageForm>
  );
}

type MailsProps = Awaited<ReturnType<typeof listMails>>;

function Mails({ items: mails, next, transport, destination }: MailsProps) {
  return (
    <section aria-labelledby="mails" className="mt-10 grid gap-4">
      <h2 id="mails" className="text-lg font-semibold">
        Mails
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
    <td className="py-2 pr-4 wrap-anywhere text-muted max-sm:col-span-2">{mail.to}</td>
    <td className="py-2 whitespace-nowrap figures max-sm:col-span-2">
      <DateTime at={mail.createdAt} format={formatDateTime} />
    </td>
  </tr>
);
