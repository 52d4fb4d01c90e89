import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { NewsletterForm } from "./form.tsx";
import { useOffers, type Variant } from "./offers.ts";

const words: Record<Variant, { title: string; text: string }> = {
  newsletter: {
    title: "The letter",
    text: "New essays, the next conversation and what came of the last one, in one email.",
  },
  youtube: {
    title: "Watch the conversations",
    text: "See who’s speaking: the conversations are on YouTube too.",
  },
  podcast: {
    title: "Follow the podcast",
    text: "Listen in the app you already use.",
  },
  all: {
    title: "Keep up",
    text: "Read it, hear it or watch it: the same work, three ways in.",
  },
};

/** A section that invites to the newsletter: text at the left, form at the right. */
export function NewsletterBlock({ variant, className }: { variant: Variant; className?: string }) {
  const { newsletter, youtube, podcast } = useOffers(variant);
  if (!newsletter && !youtube && !podcast) return null;
  const { title, text } = words[variant];
  return (
    <section
      aria-label={title}
      id={newsletter ? "newsletter" : undefined}
      className={cx(
        "grid gap-x-10 gap-y-6 border-y border-ink py-8 print:hidden md:grid-cols-2 lg:py-10",
        className,
      )}
    >
      <div className="grid content-start gap-2">
        <h2 className="headline text-xl">{title}</h2>
        <p className="max-w-[30rem] font-reading text-lg text-muted">{text}</p>
      </div>
      <div className="grid content-center gap-6">
        {newsletter && <NewsletterForm source="inline" />}
        {(youtube || podcast) && (
          <ButtonRow>
            {youtube && (
              <ButtonLink to={youtube} tone={variant === "youtube" ? "primary" : "quiet"}>
                Subscribe on YouTube
              </ButtonLink>
            )}
            {podcast && (
              <ButtonLink to="/podcast" tone={variant === "podcast" ? "primary" : "quiet"}>
                Listen to the podcast
              </ButtonLink>
            )}
          </ButtonRow>
        )}
      </div>
    </section>
  );
}
