import { useEffect, useRef, useState, type ReactNode } from "react";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import type { MailDestination } from "#worker/mail/contract.ts";
import { documentTitle } from "../shell/page-title.ts";
import type { Words } from "../form/submit.ts";

type Props = {
  title: string;
  /** The document's title, if different. */
  pageTitle?: string;
  text: ReactNode;
  children?: ReactNode;
};

/**
 * A screen for signed-out users: a title, a text, and the next step. It sets the document's title itself, since it may
 * replace another at the same address.
 */
export const Screen = ({ title, pageTitle = title, text, children }: Props) => (
  <>
    <title>{documentTitle(pageTitle)}</title>
    <h1 ref={useFocusOnReplacing()} tabIndex={-1} className="text-xl font-semibold outline-none">
      {title}
    </h1>
    <output className="mt-2 block text-muted">{text}</output>
    {children}
  </>
);

/** The focused element of the previous screen is gone, so the new heading takes the focus; not on a page load. */
function useFocusOnReplacing() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [replaces] = useState(useHydrated());
  useEffect(() => {
    if (replaces) heading.current?.focus();
  }, [replaces]);
  return heading;
}

/** Where to read an email that does not leave this machine. */
export const MAIL_NOTES: Record<MailDestination, string> = {
  mailbox: "",
  console: " Emails aren’t sent from this computer: the link is printed in the console that runs the site.",
  database:
    " This site doesn’t send emails yet. The link is in its database. To read it, use the command in docs/deploy.md.",
};

/** No user is signed in on these screens: a 401 is about the input. */
export const signedOutWords = (unexpected: string): Words => ({
  unexpected,
  failed: ({ code, message }) => (code === "internal" ? unexpected : message),
});
