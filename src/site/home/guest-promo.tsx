import { ButtonLink } from "#site/ui/button.tsx";
import { formatMonth } from "#site/ui/format-more.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { figureGrid } from "../social/proof.tsx";
import type { Site } from "#worker/settings/contract.ts";

type Figures = Omit<Site["figures"], "mediaKit">;

type Props = { title: string; text: string; figures: Figures };

/** An invitation to guests, with figures. */
export function GuestPromo({ title, text, figures }: Props) {
  const promises = promisesOf(figures);
  return (
    <section
      aria-labelledby="be-a-guest"
      className="grid gap-x-10 gap-y-6 border-t border-ink pt-4 pb-6 sm:pb-12 lg:grid-cols-12"
    >
      <div className="grid content-start justify-items-start gap-4 lg:col-span-4">
        <h2 id="be-a-guest" className="headline text-story">
          {title}
        </h2>
        {text && <p className="max-w-[30rem] font-reading text-lg text-muted">{text}</p>}
        <ButtonLink to="/guest" tone="signal" size="lg">
          Apply to be a guest
        </ButtonLink>
      </div>
      {promises.length > 0 && (
        <div className="grid grid-cols-1 content-start gap-4 lg:col-span-8">
          <dl className={figureGrid}>
            {promises.map(({ value, label }) => (
              <div key={label} className="flex flex-col-reverse justify-end gap-1">
                <dt className="text-sm text-muted">{label}</dt>
                <dd className="headline figures text-story wrap-normal">{value}</dd>
              </div>
            ))}
          </dl>
          {figures.asOf && (
            <p className="text-sm text-muted">
              As of <DateTime at={figures.asOf} format={formatMonth} />
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** Omits figures that the owner has not entered. */
const promisesOf = ({ conversationLength, listeners, reviewedWithin }: Figures) =>
  [
    { value: conversationLength, label: "unscripted conversation" },
    { value: listeners, label: "listeners" },
    { value: reviewedWithin, label: "until we review your application" },
  ].filter(({ value }) => value);
