import { useEffect, useRef, useState, type ReactNode } from "react";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import type { MailDestination } from "#worker/mail/contract.ts";
import { documentTitle } from "../page-title.ts";

type Props = {
  title: string;
  /** Of the document, where it is another one. */
  pageTitle?: string;
  text: ReactNode;
  children?: ReactNode;
};

/**
 * A screen for somebody who is not signed in: a title, what happened or is to be done, and the way on. One takes the place
 * of another at the same address, so that it names the document itself.
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

/** Says where a mail can be read that does not leave this machine. */
export const MAIL_NOTES: Record<MailDestination, string> = {
  mailbox: "",
  console: " Emails aren’t sent from this computer: the link is printed in the console that runs the site.",
  database:
    " This site doesn’t send emails yet. The link is in its database. To read it, use the command in docs/deploy.md.",
};
