import { ButtonLink } from "#site/ui/button.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { socialLinks } from "#site/shell/navigation.ts";

type EmailDraft = {
  subject: string;
  /** Headings in the body for the sender to fill in, a line each. */
  prompts?: string[];
};

export function mailto(address: string, { subject, prompts = [] }: EmailDraft) {
  const body = prompts.map((prompt) => `${prompt}:\r\n\r\n`).join("");
  const fields = [`subject=${encodeURIComponent(subject)}`, body && `body=${encodeURIComponent(body)}`];
  return `mailto:${address}?${fields.filter(Boolean).join("&")}`;
}

/** A link that opens an email draft, and the address. Without a published address, the social links. */
export function WriteTo({
  site,
  label,
  ...draft
}: EmailDraft & { site: Pick<Site, "contactEmail" | "social">; label: string }) {
  const { contactEmail: address } = site;
  if (!address) return <NoAddress social={socialLinks(site)} />;
  return (
    <div className="grid justify-items-start gap-3">
      <ButtonLink to={mailto(address, draft)} tone="primary" size="lg">
        {label}
      </ButtonLink>
      <p className="text-sm text-muted">
        Or write to{" "}
        <a href={`mailto:${address}`} translate="no" className="link">
          {address}
        </a>
        .
      </p>
    </div>
  );
}

function NoAddress({ social }: { social: ReturnType<typeof socialLinks> }) {
  if (social.length === 0) return <p>There’s no address yet. Please come back soon.</p>;
  return (
    <p>
      There’s no address yet. Until then, get in touch on{" "}
      {social.map(({ label, href }, position) => (
        <span key={label}>
          {position > 0 && <span>{position === social.length - 1 ? " or " : ", "}</span>}
          <a href={href} rel="noopener me" className="link">
            {label}
          </a>
        </span>
      ))}
      <span>.</span>
    </p>
  );
}

/** The alternative to a form: a link that opens an email draft. Renders nothing without a published address. */
export const OrWriteTo = ({ contactEmail, ...draft }: EmailDraft & Pick<Site, "contactEmail">) =>
  contactEmail && (
    <p className="text-sm text-muted">
      Or write to{" "}
      <a href={mailto(contactEmail, draft)} className="link">
        {contactEmail}
      </a>
      .
    </p>
  );
