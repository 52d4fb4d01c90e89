import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { listMails, type MailSummary } from "#worker/mail/log.ts";
import type { Settings } from "#worker/settings/contract.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { TextField } from "../form/fields.tsx";
import { PageForm } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { TableHead } from "../lists/table-head.tsx";
import { DnsRecords } from "./dns-records.tsx";
import { emailForm } from "./input.ts";
import { MailServer } from "./mail-server.tsx";
import { NewsletterSection, SendingSection } from "./newsletter-sections.tsx";
import { saveSettings } from "./save.ts";
import { StateBadge } from "./state.tsx";
import { sendTestMail, testIn } from "./test-mail.tsx";
import { pageTitle } from "../shell/page-title.ts";
import type { Route } from "./+types/mails";

export const meta = pageTitle("Email settings");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [settings, mails] = await Promise.all([load(readSettings(ctx)), load(listMails(ctx, { before }))]);
  return { settings, mails };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const as = testIn(form);
  return as ? sendTestMail(form, as) : saveSettings(request, emailForm);
}

export default function Email({ loaderData: { settings, mails } }: Route.ComponentProps) {
  const { newsletter } = settings.site;
  return (
    <>
      <PageForm submit="Save Changes" basedOn={settings.updatedAt}>
        <SenderSection settings={settings} />
        <NewsletterSection newsletter={newsletter} />
        <SendingSection newsletter={newsletter} />
      </PageForm>
      <MailServer settings={settings} />
      <DnsRecords settings={settings} />
      <Mails {...mails} />
    </>
  );
}

function SenderSection({ settings: { site, mailFrom } }: { settings: Settings }) {
  const { fromName, fromEmail, replyTo } = site.email;
  return (
    <FormSection title="Sender" help="For every email the site sends.">
      <TextField
        label="From Name"
        name="email.fromName"
        maxLength={100}
        placeholder={site.name}
        defaultValue={fromName}
        help="Leave blank to use the site’s name."
      />
      <TextField
        label="From Email"
        name="email.fromEmail"
        type="email"
        placeholder={mailFrom}
        defaultValue={fromEmail}
        help={`Leave blank to use ${mailFrom}. Another address must be at the same domain, because its DNS records below are for that domain. To use another domain, run npm run deploy.`}
      />
      <TextField
        label="Reply-To"
        name="email.replyTo"
        type="email"
        defaultValue={replyTo}
        help="Where replies to the site’s emails go, at any domain. Leave blank to use the From Email."
      />
    </FormSection>
  );
}

type MailsProps = Awaited<ReturnType<typeof listMails>>;

function Mails({ items: mails, next }: MailsProps) {
  return (
    <section aria-labelledby="mails" className="grid grid-cols-1 gap-4 border-t border-rule pt-8">
      <h2 id="mails" className="text-lg font-semibold">
        Emails
      </h2>
      {mails.length > 0 ? <MailTable mails={mails} /> : <NoMails />}
      {next && (
        <ButtonLink to={`?before=${next}`} className="justify-self-start">
          Older emails
        </ButtonLink>
      )}
    </section>
  );
}

const NoMails = () => (
  <EmptyState title="No emails yet">Each email the site sends is listed here for 30 days.</EmptyState>
);

function MailTable({ mails }: { mails: MailSummary[] }) {
  return (
    <table className="w-full text-left text-sm">
      <TableHead columns={["Subject", "State", "To", "Time"]} cardsBelow="sm" />
      <tbody>
        {mails.map((mail) => (
          <MailRow key={mail.id} mail={mail} />
        ))}
      </tbody>
    </table>
  );
}

const MailRow = ({ mail }: { mail: MailSummary }) => (
  <tr className="border-b border-rule max-sm:grid max-sm:grid-cols-[minmax(9rem,1fr)_minmax(0,auto)] max-sm:gap-x-4 max-sm:py-2 max-sm:*:py-0.5">
    <td className="py-2 pr-4 wrap-anywhere">
      <Link to={`/admin/settings/mails/${mail.id}`} className="link">
        {mail.subject}
      </Link>
    </td>
    <td className="py-2 pr-4">
      <StateBadge state={mail.state} />
      {mail.state !== "sent" && mail.lastError && (
        <p className="mt-1 max-w-sm wrap-anywhere text-muted">{mail.lastError}</p>
      )}
    </td>
    <td className="py-2 pr-4 wrap-anywhere text-muted max-sm:col-span-2 sm:min-w-44">{mail.to}</td>
    <td className="py-2 whitespace-nowrap figures max-sm:col-span-2">
      <DateTime at={mail.createdAt} format={formatDateTime} />
    </td>
  </tr>
);
