import { ButtonLink } from "#site/ui/button.tsx";
import type { Site } from "#worker/settings/contract.ts";

/** Supporter tiers that have a link, and the patron link; null without any. */
export function supportOf({ features, tiers, patronUrl }: Site) {
  if (!features.patreon) return null;
  const open = tiers.flatMap(({ url = patronUrl, ...tier }) => (url ? [{ ...tier, url }] : []));
  return open.length > 0 || patronUrl ? { tiers: open, patronUrl } : null;
}

export type Support = NonNullable<ReturnType<typeof supportOf>>;

export function Supporters({ support: { tiers, patronUrl } }: { support: Support }) {
  return (
    <section aria-labelledby="support" className="mt-16 border-t border-ink pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 pb-6">
        <h2 id="support" className="text-base font-semibold">
          Support the show
        </h2>
        {patronUrl && (
          <a href={patronUrl} rel="noopener" className="link text-sm">
            Become a patron for any amount
          </a>
        )}
      </div>
      <ul className="grid grid-cols-1 gap-x-10 gap-y-12 md:grid-cols-3">
        {tiers.map((tier) => (
          <li key={tier.name}>
            <Tier tier={tier} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tier({ tier: { name, price, benefits, url } }: { tier: Support["tiers"][number] }) {
  return (
    <div className="grid h-full grid-rows-[auto_auto_1fr_auto] gap-4 border-t border-rule pt-4">
      <h3 className="text-lg font-medium">{name}</h3>
      <p className="flex items-baseline gap-2">
        <span className="figures headline text-3xl">{`$${price}`}</span>
        <span className="text-sm text-muted">per month</span>
      </p>
      <ul className="font-reading text-base">
        {benefits.map((benefit) => (
          <li key={benefit} className="border-t border-rule py-2 first:border-t-0">
            {benefit}
          </li>
        ))}
      </ul>
      <ButtonLink to={url} className="w-fit">
        <span>{`Give $${price} a month`}</span>
        <span className="sr-only">{` as ${name}`}</span>
      </ButtonLink>
    </div>
  );
}
