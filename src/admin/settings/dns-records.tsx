import type { LetterWay, MailWay } from "#worker/mail/contract.ts";
import type { Settings } from "#worker/settings/contract.ts";
import { FormSection } from "../form/section.tsx";
import { CopyText } from "./copy-text.tsx";

/** A DNS record that mailbox providers require. */
type DnsRecord = {
  title: string;
  /** One sentence for an owner who has never edited DNS. */
  meaning: string;
  type: "TXT" | "MX";
  name: string;
  /** Null if only the provider knows it. */
  value: string | null;
  note: string;
};

type Way = Exclude<MailWay | LetterWay, "console" | "database" | "none">;

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1);

/** The DNS records that the domain needs so that emails arrive, for each way of sending. */
export function DnsRecords({ settings: { mail, mailFrom } }: { settings: Settings }) {
  const domain = domainOf(mailFrom);
  const ways = new Set<MailWay | LetterWay>([mail.mails, mail.letters]);
  const used = (["smtp", "resend", "cloudflare"] as const).filter((way) => ways.has(way));
  const shown: readonly Way[] = used.length > 0 ? used : ["smtp"];
  return (
    <FormSection
      title="DNS records"
      help={`Three DNS records at ${domain} prove to mailbox providers that its emails are yours. Without them, your letters land in spam.`}
    >
      <p className="text-sm">
        Add them where <span>{domain}</span> has its DNS. In Cloudflare, that’s DNS → Records. They work
        within minutes. Then send a test email: it should show SPF, DKIM and DMARC as “pass” (in Gmail, under
        ⋮ → Show original).
      </p>
      {shown.map((way) => (
        <section key={way} aria-labelledby={`dns-${way}`} className="grid grid-cols-1 gap-6">
          <h3 id={`dns-${way}`} className="text-sm font-semibold">
            {TITLES[way]}
          </h3>
          {senders[way](domain).map((record) => (
            <Record key={record.title} {...record} />
          ))}
        </section>
      ))}
      <section aria-labelledby="dns-dmarc" className="grid grid-cols-1 gap-6">
        <h3 id="dns-dmarc" className="text-sm font-semibold">
          For the domain, whichever service sends
        </h3>
        <Record {...dmarc(domain, mailFrom)} />
      </section>
    </FormSection>
  );
}

const TITLES: Record<Way, string> = {
  smtp: "For the mail server",
  resend: "For Resend",
  cloudflare: "For Cloudflare’s Email Service",
};

const Record = ({ title, meaning, type, name, value, note }: DnsRecord) => (
  <div className="grid grid-cols-1 gap-3 border-l-4 border-rule pl-4">
    <p>
      <strong className="font-semibold">{title}</strong>{" "}
      <span className="text-sm text-muted">{`(${type})`}</span>
      <span className="block text-sm">{meaning}</span>
    </p>
    <CopyText label={`${title}: name`} value={name} what="name" />
    {value !== null && <CopyText label={`${title}: value`} value={value} what="value" />}
    <p className="text-sm text-muted">{note}</p>
  </div>
);

const SPF = "Lists the servers that may send email for this domain.";
const DKIM = "The key that proves an email wasn’t changed on its way.";

const senders: Record<Way, (domain: string) => DnsRecord[]> = {
  smtp: (domain) => [
    {
      title: "SPF",
      meaning: SPF,
      type: "TXT",
      name: domain,
      value: "v=spf1 include:spf.your-provider.net ~all",
      note: "Your provider’s help shows what follows include. A domain has one SPF record: if you already have one, add the include to it.",
    },
    {
      title: "DKIM",
      meaning: DKIM,
      type: "TXT",
      name: `selector._domainkey.${domain}`,
      value: null,
      note: "Your provider creates the key, and shows the record’s full name and value in its domain settings. Some use a CNAME instead.",
    },
  ],
  resend: (domain) => [
    {
      title: "DKIM",
      meaning: DKIM,
      type: "TXT",
      name: `resend._domainkey.${domain}`,
      value: null,
      note: "Add the domain in Resend under Domains. It shows the value, a long text that begins with p=.",
    },
    {
      title: "SPF",
      meaning: SPF,
      type: "TXT",
      name: `send.${domain}`,
      value: "v=spf1 include:amazonses.com ~all",
      note: `Resend sends with send.${domain} as the envelope sender, so the domain’s own SPF record doesn’t change.`,
    },
    {
      title: "Return path",
      meaning: "Where bounced emails return, so Resend learns about them.",
      type: "MX",
      name: `send.${domain}`,
      value: null,
      note: "Priority 10. Resend shows the value, which names the region you chose for the domain.",
    },
  ],
  cloudflare: (domain) => [
    {
      title: "SPF and DKIM",
      meaning: "Cloudflare adds both automatically.",
      type: "TXT",
      name: `cf-bounce.${domain}`,
      value: null,
      note: "Onboard the domain in the dashboard under Email Sending. Its DNS must be at Cloudflare.",
    },
  ],
};

const dmarc = (domain: string, mailFrom: string): DnsRecord => ({
  title: "DMARC",
  meaning:
    "What mailboxes do with an email that fails both, and where they report it. Gmail and Yahoo require it.",
  type: "TXT",
  name: `_dmarc.${domain}`,
  value: `v=DMARC1; p=none; rua=mailto:${mailFrom}`,
  note: "Start with p=none, which changes nothing, and read the reports for two weeks. Once they list only your own emails, change it to p=quarantine: emails that others send in your name then land in spam.",
});
