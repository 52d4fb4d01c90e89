import type { LetterWay, MailWay } from "#worker/mail/contract.ts";
import type { Settings } from "#worker/settings/contract.ts";
import { FormSection } from "../form/section.tsx";
import { CopyText } from "./copy-text.tsx";

/** The entry of a domain's DNS that a mailbox provider asks for. */
type DnsRecord = {
  title: string;
  /** In a sentence for somebody who never saw one. */
  meaning: string;
  type: "TXT" | "MX";
  name: string;
  /** Null: only the provider knows it. */
  value: string | null;
  note: string;
};

type Way = Exclude<MailWay | LetterWay, "console" | "database" | "none">;

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1);

/** What the domain's DNS has to say so that mails arrive, for each way that they leave. */
export function DnsRecords({ settings: { mail, mailFrom } }: { settings: Settings }) {
  const domain = domainOf(mailFrom);
  const ways = new Set<MailWay | LetterWay>([mail.mails, mail.letters]);
  const used = (["smtp", "resend", "cloudflare"] as const).filter((way) => ways.has(way));
  const shown: readonly Way[] = used.length > 0 ? used : ["smtp"];
  return (
    <FormSection
      title="DNS records"
      help={`Three entries at ${domain} tell mailbox providers that its mails are yours. Without them letters end as spam.`}
    >
      <p className="text-sm">
        Set them where <span>{domain}</span> has its DNS, in Cloudflare under DNS → Records. They act within
        minutes. A test mail then shows SPF, DKIM and DMARC as “pass”; in Gmail under ⋮ → Show original.
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
          For the domain, whatever sends
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

const SPF = "Which servers may send mail of this domain.";
const DKIM = "The key by which a mailbox checks that a mail was not changed on its way.";

const senders: Record<Way, (domain: string) => DnsRecord[]> = {
  smtp: (domain) => [
    {
      title: "SPF",
      meaning: SPF,
      type: "TXT",
      name: domain,
      value: "v=spf1 include:spf.your-provider.net ~all",
      note: "Your provider’s help says what stands behind include. A domain has one SPF record: where there is one already, add the include to it.",
    },
    {
      title: "DKIM",
      meaning: DKIM,
      type: "TXT",
      name: `selector._domainkey.${domain}`,
      value: null,
      note: "Your provider makes the key, and shows the record’s whole name and value in the settings of the domain. Some ask for a CNAME instead.",
    },
  ],
  resend: (domain) => [
    {
      title: "DKIM",
      meaning: DKIM,
      type: "TXT",
      name: `resend._domainkey.${domain}`,
      value: null,
      note: "Add the domain at Resend under Domains: it shows the value, a long text that begins with p=.",
    },
    {
      title: "SPF",
      meaning: SPF,
      type: "TXT",
      name: `send.${domain}`,
      value: "v=spf1 include:amazonses.com ~all",
      note: "Resend sends with an address below send as the envelope, so that the domain’s own SPF record stays as it is.",
    },
    {
      title: "Return path",
      meaning: "Where mails that bounce come back to, by which Resend learns of them.",
      type: "MX",
      name: `send.${domain}`,
      value: null,
      note: "Priority 10. Resend shows the value, which names the region that the domain was added in.",
    },
  ],
  cloudflare: (domain) => [
    {
      title: "SPF and DKIM",
      meaning: "Cloudflare writes both by itself.",
      type: "TXT",
      name: `cf-bounce.${domain}`,
      value: null,
      note: "Onboard the domain in the dashboard under Email Sending; its DNS has to be at Cloudflare.",
    },
  ],
};

const dmarc = (domain: string, mailFrom: string): DnsRecord => ({
  title: "DMARC",
  meaning: "What a mailbox does with a mail that fails both, and who is told. Gmail and Yahoo ask for it.",
  type: "TXT",
  name: `_dmarc.${domain}`,
  value: `v=DMARC1; p=none; rua=mailto:${mailFrom}`,
  note: "Begin with p=none, which changes nothing, and read the reports for two weeks. When only your own mails are in them, change it to p=quarantine: what others send in your name then ends as spam.",
});
