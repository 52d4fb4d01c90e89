import { ButtonLink } from "#site/ui/button.tsx";
import type { Site } from "#worker/settings/contract.ts";
import { socialLinks } from "#site/shell/links.ts";

type Letter = {
  subject: string;
  /** What the letter should tell, a line each: they stand in it already. */
  prompts?: string[];
};

export function mailto(address: string, { subject, prompts = [] }: Letter) {
  const body = prompts.map((prompt) => `${prompt}:\r\n\r\n`).join("");
  const fields = [`subject=${encodeURIComponent(subject)}`, body && `body=${encodeURIComponent(body)}`];
  return `mailto:${address}?${fields.filter(Boolean).join("&")}`;
}

/** A letter to begin, and the address to copy; where none is published, the other ways to be found. */
export function WriteTo({
  site,
  label,
  ...letter
}: Letter & { site: Pick<Site, "contactEmail" | "social">; label: string }) {
  const { contactEmail: address } = site;
  if (!address) return <NoAddress social={socialLinks(site)} />;
  return (
    <div className="grid justify-items-start gap-3">
      <ButtonLink to={mailto(address, letter)} tone="primary" size="lg">
        {label}
      </ButtonLink>
      <p className="text-sm text-muted">
        Or write to{" "}
        <a href={`mailto:${address}`} className="link">
          {address}
        </a>
        .
      </p>
    </div>
  );
}

function NoAddress({ social }: { social: ReturnType<typeof socialLinks> }) {
  if (social.length === 0) return <p>No address is published yet. Please come back soon.</p>;
  return (
    <p>
      No address is published yet. Until then, get in touch on{" "}
      {social.map(({ label, href }, position) => (
        <span key={label}>
          {position > 0 && (position === social.length - 1 ? " or " : ", ")}
          <a href={href} rel="noopener me" className="link">
            {label}
          </a>
        </span>
      ))}
      .
    </p>
  );
}
