import { useEffect, useRef } from "react";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { CONFIRM_BY_MAIL } from "#worker/enquiries/limits.ts";

type RequestedProps = {
  isUnconfirmed: boolean;
  /** It replaces the form on the page, and takes the focus. */
  isNew?: boolean;
};

/** Replaces the form once the request is sent. */
export function Requested({ isUnconfirmed, isNew = false }: RequestedProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew) return;
    window.scrollTo({ top: 0 });
    const heading = section.current?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, [isNew]);
  return (
    <section ref={section} className="page grid grid-cols-1 justify-items-start gap-8 pb-8">
      <PageHead title="Request Submitted!" />
      <p role="status" className="max-w-xl border-l-4 border-accent pl-4 font-reading text-lg">
        {isUnconfirmed
          ? CONFIRM_BY_MAIL
          : "Thank you. Your request is reviewed and answered within 48 hours. You should receive a confirmation email shortly."}
      </p>
      <ButtonRow>
        <ButtonLink to="/speaking" tone="primary">
          Back to Speaking
        </ButtonLink>
        <ButtonLink to="/">Return to Home</ButtonLink>
      </ButtonRow>
    </section>
  );
}
