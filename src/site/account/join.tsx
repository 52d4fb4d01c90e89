import type { JoinOffer } from "#worker/payments/contract.ts";
import { Action } from "./action.tsx";
import { Section } from "./section.tsx";
import type { AccountActions } from "./use-account.ts";

function priceOf({ amount, currency, interval }: JoinOffer) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)} a ${interval}`;
}

type Props = { offers: JoinOffer[]; note?: string } & Pick<AccountActions, "join">;

/** What a visitor may join by card, at Stripe. */
export const Join = ({ offers, join, note }: Props) => (
  <Section title="Become a member">
    <p className="text-muted">You pay at Stripe, and can end it there on any day. We never see your card.</p>
    {note && <p className="text-muted">{note}</p>}
    <ul>
      {offers.map((offer) => (
        <li key={offer.id} className="grid gap-2 border-t border-rule py-4 first:border-t-0">
          <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <span dir="auto" className="font-medium wrap-anywhere">
              {offer.tier}
            </span>
            <span className="text-muted">{priceOf(offer)}</span>
          </p>
          {offer.description && (
            <p dir="auto" className="font-reading text-base whitespace-pre-line wrap-anywhere">
              {offer.description}
            </p>
          )}
          <Action aria-label={`Join by card: ${offer.tier}, ${priceOf(offer)}`} act={() => join(offer.id)}>
            Join by card
          </Action>
        </li>
      ))}
    </ul>
  </Section>
);
