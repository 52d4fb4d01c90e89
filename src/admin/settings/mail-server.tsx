import type { LetterWay, MailWay } from "#worker/mail/contract.ts";
import type { Settings } from "#worker/settings/contract.ts";
import { FormSection } from "../form/section.tsx";
import { CopyText } from "./copy-text.tsx";
import { TestMail } from "./test-mail.tsx";

/** Where a provider sends its reports of bounces. */
const WEBHOOK = "/api/webhooks/mail";

/** How emails and letters leave, and what the provider says to one. */
export function MailServer({ settings: { mail, siteUrl } }: { settings: Settings }) {
  const { mails, letters } = mail;
  const isOneWay = mails === letters;
  return (
    <FormSection title="Mail server" help="The service that delivers the site’s emails and letters.">
      <p>{MAILS[mails]}</p>
      {mails !== "console" && mails !== "database" && <TestMail as="mail" />}
      {!isOneWay && <p>{LETTERS[letters]}</p>}
      {!isOneWay && (letters === "smtp" || letters === "resend") && <TestMail as="letter" />}
      {letters === "resend" && <Reports {...mail} address={`${siteUrl}${WEBHOOK}`} />}
      {letters === "smtp" && (
        <p className="text-sm text-muted">
          An address that the mail server refuses gets no more letters. Emails that bounce later go to the
          From Email mailbox: delete those subscribers yourself, or send letters with a service that reports
          bounces.
        </p>
      )}
    </FormSection>
  );
}

const MAILS: Record<MailWay, string> = {
  smtp: "Emails are sent through the mail server in SMTP_URL. Temporary failures are retried for two hours.",
  resend:
    "Emails are sent through Resend, with the key in RESEND_API_KEY. Temporary failures are retried for two hours.",
  cloudflare:
    "Emails are sent through Cloudflare’s Email Service, with the binding EMAIL. Temporary failures are retried for two hours.",
  console:
    "No mail server is set. Emails aren’t sent from this computer: each is stored here and printed in the console.",
  database:
    "No mail server is set, so emails aren’t sent: each is stored here. To set one, see docs/deploy.md.",
};

const LETTERS: Record<LetterWay, string> = {
  resend: "Letters are sent through Resend, with the key in RESEND_API_KEY.",
  smtp: "Letters are sent through the mail server in SMTP_URL.",
  console: "Letters aren’t sent from this computer: the first of each batch are printed in the console.",
  none: "Letters can’t be sent: Cloudflare’s Email Service is only for individual emails such as confirmations. Set SMTP_URL or RESEND_API_KEY for letters.",
};

const Reports = ({ takesReports, address }: { takesReports: boolean; address: string }) => (
  <div className="grid gap-3">
    <h3 className="text-sm font-semibold">Bounces and complaints</h3>
    <p className="text-sm">
      {takesReports
        ? "Resend reports bounces and spam complaints, and those addresses get no more letters. In Resend, the webhook must use this address, with the events email.bounced, email.complained, email.suppressed and email.delivered:"
        : "Bounces aren’t reported to this site yet. In Resend, add a webhook with this address and the events email.bounced, email.complained, email.suppressed and email.delivered. Store its signing secret as RESEND_WEBHOOK_SECRET in the deployment:"}
    </p>
    <CopyText label="Webhook address" value={address} what="address" />
  </div>
);
