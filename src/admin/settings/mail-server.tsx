import type { LetterWay, MailWay } from "#worker/mail/contract.ts";
import type { Settings } from "#worker/settings/contract.ts";
import { FormSection } from "../form/section.tsx";
import { CopyText } from "./copy-text.tsx";
import { TestMail } from "./test-mail.tsx";

/** Where a provider sends its reports of bounces. */
const WEBHOOK = "/api/webhooks/mail";

/** How mails and letters leave, and what the provider says to one. */
export function MailServer({ settings: { mail, siteUrl } }: { settings: Settings }) {
  const { mails, letters } = mail;
  const isOneWay = mails === letters;
  return (
    <FormSection title="Mail server" help="What takes the site’s mails and letters to their readers.">
      <p>{MAILS[mails]}</p>
      {mails !== "console" && mails !== "database" && <TestMail as="mail" />}
      {!isOneWay && <p>{LETTERS[letters]}</p>}
      {!isOneWay && (letters === "smtp" || letters === "resend") && <TestMail as="letter" />}
      {letters === "resend" && <Reports {...mail} address={`${siteUrl}${WEBHOOK}`} />}
      {letters === "smtp" && (
        <p className="text-sm text-muted">
          What a mail server refuses at once takes the address off. What comes back later goes to the mailbox
          of From Email: delete such subscribers yourself, or send letters by a service that reports bounces.
        </p>
      )}
    </FormSection>
  );
}

const MAILS: Record<MailWay, string> = {
  smtp: "Mails leave by the mail server of SMTP_URL. What it refuses for now is tried again for two hours.",
  resend:
    "Mails leave by Resend, with the key of RESEND_API_KEY. What it refuses for now is tried again for two hours.",
  cloudflare:
    "Mails leave by Cloudflare’s Email Service, the binding EMAIL. What it refuses for now is tried again for two hours.",
  console:
    "No mail server is set. No mail leaves this machine: each is kept here and printed on the console.",
  database:
    "No mail server is set, so no mail is sent: each is kept here. The README says under Deploy how to set one.",
};

const LETTERS: Record<LetterWay, string> = {
  resend: "Letters leave by Resend, with the key of RESEND_API_KEY.",
  smtp: "Letters leave by the mail server of SMTP_URL.",
  console: "Letters do not leave this machine: the first of each batch are printed on the console.",
  none: "Letters cannot be sent: Cloudflare’s Email Service is for mails that somebody waits for. Set SMTP_URL or RESEND_API_KEY for them.",
};

const Reports = ({ takesReports, address }: { takesReports: boolean; address: string }) => (
  <div className="grid gap-3">
    <h3 className="text-sm font-semibold">Bounces and complaints</h3>
    <p className="text-sm">
      {takesReports
        ? "Resend’s reports take off who bounced or complained of spam. At Resend a webhook has to lead to this address, with the events email.bounced, email.complained, email.suppressed and email.delivered:"
        : "Nobody tells this site which letters bounced. At Resend, add a webhook to this address, with the events email.bounced, email.complained, email.suppressed and email.delivered. Its signing secret is the secret RESEND_WEBHOOK_SECRET of the deployment:"}
    </p>
    <CopyText label="Webhook address" value={address} what="address" />
  </div>
);
