import { useEffect, useRef, useState, type ReactNode } from "react";
import { icon, Link2, Mail } from "#site/ui/icons.tsx";
import { buttonClass } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { SHARE } from "#site/analytics/notes.ts";
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

/**
 * Share links, and a copy button where scripts run. On a phone with scripts one button opens the phone's own share
 * sheet, or shows the links if the browser has none.
 */
export function ShareBar({ title, url, className, children }: ShareBarProps) {
  const [isOpen, setOpen] = useState(false);
  const links = useRef<HTMLDivElement>(null);
  // The button that had the focus was removed.
  useEffect(() => {
    if (isOpen) links.current!.querySelector("a")!.focus();
  }, [isOpen]);
  return (
    <div
      role="group"
      aria-label="Share"
      data-shares
      className={cx("-ml-3 flex flex-wrap items-center gap-x-1 gap-y-2", className)}
    >
      {!isOpen && (
        <button
          type="button"
          value={SHARE}
          onClick={() => void share({ title, url }).then((isShared) => setOpen(!isShared))}
          className={cx(wayClass, "script-only sm:hidden")}
        >
          <Share aria-hidden size={16} />
          Share
        </button>
      )}
      <div ref={links} className={cx("contents", !isOpen && "[@media(scripting)]:max-sm:hidden")}>
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
      </div>
      <CopyLink url={url} />
      {children}
    </div>
  );
}

/** Whether the browser has a share sheet; the visitor may have dismissed it. */
async function share(shared: ShareData) {
  try {
    await navigator.share(shared);
    return true;
  } catch (error) {
    return (error as Error).name === "AbortError";
  }
}

const Share = icon("M12 2v13m4-9-4-4-4 4M4 12v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8");

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
