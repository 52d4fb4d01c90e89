import { z } from "zod";
import { rowId } from "#worker/platform/contract.ts";

export const MOST_PRICES = 60;

const secretOf = (begins: RegExp, wrong: string) =>
  z.string(wrong).trim().max(300, wrong).regex(begins, wrong);

const API_KEY =
  "Enter a secret key or a restricted key of Stripe. It starts with sk_test_, sk_live_, rk_test_ or rk_live_.";
const WEBHOOK_SECRET = "Enter the signing secret of the webhook. It starts with whsec_.";

/** Both together, since notices that are of another account than the key would change nothing. */
export const PaymentKeys = z.strictObject({
  apiKey: secretOf(/^[rs]k_(?:test|live)_[\w]+$/, API_KEY),
  webhookSecret: secretOf(/^whsec_[\w+/=-]+$/, WEBHOOK_SECRET),
});
export type PaymentKeys = z.input<typeof PaymentKeys>;

const PRICE = "Enter the id of a price at Stripe. It starts with price_.";

/** Which tier a price at Stripe is of. Its amount, currency and interval are read from Stripe. */
export const NewTierPrice = z.strictObject({
  tierId: rowId,
  price: z
    .string(PRICE)
    .trim()
    .max(255, PRICE)
    .regex(/^price_\w+$/, PRICE),
});
export type NewTierPrice = z.input<typeof NewTierPrice>;

export const intervals = ["month", "year"] as const;
export type Interval = (typeof intervals)[number];

export type TierPrice = {
  id: number;
  tierId: number;
  /** Its name. */
  tier: string;
  /** Of the price at Stripe. */
  price: string;
  /** ISO 4217, in capitals. */
  currency: string;
  /** In the currency's smallest unit, as Stripe counts it. */
  amount: number;
  interval: Interval;
};

/** Which of the offers a visitor takes. */
export const NewCheckout = z.strictObject({ price: z.int("Choose an offer.").positive("Choose an offer.") });
export type NewCheckout = z.input<typeof NewCheckout>;

/** What a visitor may join by card. */
export type JoinOffer = Pick<TierPrice, "id" | "tier" | "currency" | "amount" | "interval"> & {
  /** What the tier's members get. */
  description: string;
};

/** A page of Stripe's. */
export type Elsewhere = { url: string };

/**
 * The result of a notice. Applied: the membership is as Stripe says. Kept: a membership by hand was left as it is. Refused: it
 * could not be applied, and the comparison tries it again.
 */
export const noticeOutcomes = ["applied", "kept", "refused"] as const;
export type NoticeOutcome = (typeof noticeOutcomes)[number];

/** Times are milliseconds UTC. */
export type PaymentNotice = { id: string; type: string; message: string; receivedAt: number };

/** Times are milliseconds UTC. */
export type PaymentSetup = {
  /** Null without keys. */
  account: { id: string; isLive: boolean } | null;
  /** Where Stripe sends its notices. */
  webhookUrl: string;
  /** The kinds of events that it has to send. */
  events: readonly string[];
  prices: TierPrice[];
  /** Memberships that are paid now. */
  paying: number;
  /** When a comparison with Stripe last ended; null before the first. */
  comparedAt: number | null;
  isComparing: boolean;
  /** Why the last step of a comparison failed; null if it did not. */
  problem: string | null;
  /** Those that were not applied, the latest first. */
  notices: PaymentNotice[];
};
