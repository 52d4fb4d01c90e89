import type { ReactNode } from "react";

/** A page before the door: what it is, what happened or is to be done, and the way on. */
export const Screen = ({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}) => (
  <>
    <h1 className="text-xl font-semibold">{title}</h1>
    <output className="mt-2 block text-muted">{text}</output>
    {children}
  </>
);

/** Added where a mail was sent from a machine that no mail leaves. */
export const MAILS_STAY_HERE =
  " Mails do not leave this machine: the link is printed on the console that runs the site.";
