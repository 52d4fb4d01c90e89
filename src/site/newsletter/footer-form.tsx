import { useMatches } from "react-router";
import { useLayoutData } from "../use-layout.ts";
import { NewsletterForm } from "./form.tsx";

/** The `handle` of a page with its own newsletter form, which has the id `newsletter` and replaces the footer's. */
export type PageHandle = { hasNewsletterForm?: boolean };

/** The newsletter form in the footer, which banners and the community widget link to. */
export function FooterNewsletter() {
  const isOffered = Boolean(useLayoutData()?.newsletter);
  // A page that failed to load has no form.
  const isInPage = useMatches().some(
    ({ handle, loaderData }) => loaderData && (handle as PageHandle | undefined)?.hasNewsletterForm,
  );
  if (!isOffered || isInPage) return null;
  return (
    <section id="newsletter" aria-labelledby="newsletter-title" className="grid gap-3">
      <h2 id="newsletter-title" className="text-base font-semibold">
        Newsletter
      </h2>
      <NewsletterForm source="footer" button="Subscribe Now" />
    </section>
  );
}
