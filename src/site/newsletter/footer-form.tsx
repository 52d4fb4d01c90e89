import { useLayoutData } from "../use-layout.ts";
import { NewsletterForm } from "./form.tsx";

/** The newsletter form in the footer, which banners and the community widget link to. */
export function FooterNewsletter() {
  if (!useLayoutData()?.newsletter) return null;
  return (
    <section id="newsletter" aria-labelledby="newsletter-title" className="grid gap-3">
      <h2 id="newsletter-title" className="text-base font-semibold">
        Newsletter
      </h2>
      <NewsletterForm source="footer" button="Subscribe Now" />
    </section>
  );
}
