import { ButtonLink } from "#site/ui/button.tsx";
import { formatMonth } from "#site/ui/format-more.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { Site } from "#worker/settings/contract.ts";

type Figures = Omit<Site["figures"], "mediaKit">;

type Props = { title: string; text: string; figures: Figures };

/** An invitation to guests, with figures. */
export function GuestPromo({ title, text, figures }: Props) {
  const promises = promisesOf(figures);
  return (
    <section
      aria-labelledby="be-a-guest"
      className="grid gap-x-10 gap-y-6 border-t-2 border-signal pt-6 pb-10 sm:pb-14 lg:grid-cols-12"
    >
      <div className="grid content-start justify-items-start gap-4 lg:col-span-4">
        <h2 id="be-a-guest" className="headline text-2xl">
          {title}
        </h2>
        {text && <p className="max-w-[30rem] font-reading text-lg text-muted">{text}</p>}
        <ButtonLink to="/guest" tone="signal" size="lg">
          Apply to be a guest
        </ButtonLink>
      </div>
      {promises.length > 0 && (
        <div className="grid grid-cols-1 content-start gap-4 lg:col-span-8">
          <dl className="grid grid-cols-1 gap-y-4 sm:grid-cols-none sm:grid-flow-col sm:auto-cols-fr sm:divide-x sm:divide-rule">
            {promises.map(({ value, label }) => (
              <div
                key={label}
                className="flex flex-col-reverse justify-end gap-1 sm:px-6 sm:first:pl-0 sm:last:pr-0"
              >
                <dt className="text-sm text-muted">{label}</dt>
                <dd className="headline figures text-2xl wrap-normal">{value}</dd>
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

/** Figures that the owner has not given are left out. */
const promisesOf = ({ conversationLength, listeners, reviewedWithin }: Figures) =>
  [
    { value: conversationLength, label: "unscripted conversation" },
    { value: listeners, label: "listeners" },
    { value: reviewedWithin, label: "until we review your application" },
  ].filter(({ value }) => value);
