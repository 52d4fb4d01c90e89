import type { ReactNode } from "react";
import { Link2, Mail } from "#site/ui/icons.tsx";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { useToast } from "./toast.ts";
import { copyLink } from "./copy-link.ts";

type ShareBarProps = {
  title: string;
  /** The absolute address to share. */
  url: string;
  className?: string;
  /** More buttons, after the others. */
  children?: ReactNode;
};

/** Share links, and a copy button where scripts run. */
export const ShareBar = ({ title, url, className, children }: ShareBarProps) => (
  <div
    role="group"
    aria-label="Share"
    data-shares
    className={cx("-ml-3 flex flex-wrap items-center gap-x-1 gap-y-2", className)}
  >
    <span aria-hidden className="kicker mx-3">
      Share
    </span>
    {networksOf(title, url).map(({ name, href }) => (
      <a
        key={name}
        href={href}
        target="_blank"
        rel="noopener"
        aria-label={`Share on ${name}`}
        className={wayClass}
      >
        {name}
      </a>
    ))}
    <a href={mailOf(title, url)} aria-label="Share by email" className={wayClass}>
      <Mail aria-hidden size={16} />
      Email
    </a>
    <CopyLink url={url} />
    {children}
  </div>
);

function CopyLink({ url }: { url: string }) {
  const say = useToast();
  return (
    <button type="button" onClick={() => void copyLink(url, say)} className={cx(wayClass, "script-only")}>
      <Link2 aria-hidden size={16} />
      Copy link
    </button>
  );
}

const wayClass = buttonClass({ tone: "bare", size: "sm" });

const networksOf = (title: string, url: string) => [
  { name: "X", href: `https://twitter.com/intent/tweet?${query({ text: title, url })}` },
  { name: "Facebook", href: `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}` },
  { name: "LinkedIn", href: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}` },
];

/** Mail programs do not decode a plus as a space. */
const mailOf = (title: string, url: string) =>
  `mailto:?${query({ subject: title, body: url })}`.replaceAll("+", "%20");

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
