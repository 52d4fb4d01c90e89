import { inject } from "vitest";
import { createTierPrice, savePaymentKeys } from "#worker/payments/commands.ts";
import { paymentKeys, paymentSetup, tierPrices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { jobContext, ownerContext } from "./client.ts";
import { anyTier } from "./members.ts";

const port = inject("stripe");
const server = `http://127.0.0.1:${port}`;

/** The variables of a site whose Stripe is the server of the tests. */
export const stripeVars = { STRIPE_API_URL: server, IMPORT_LOOPBACK: "on" };

export const SECRET = "whsec_of_the_tests";

/** The context of a site whose Stripe is the server of the tests. */
export const atStripe = (ctx: Context): Context => ({
  ...ctx,
  config: { ...ctx.config, loopback: true, stripeUrl: server },
});

const DAY = 86_400;
export const secondsOf = (at: Date | number) => Math.floor(Number(at) / 1000);

const post = async (key: string, kind: string, body: unknown) =>
  (await fetch(`${server}/test/${key}/${kind}`, { method: "POST", body: JSON.stringify(body) })).json();

/** An account at Stripe that is this site's. */
export async function stripeAccount(key = `sk_test_${crypto.randomUUID().replaceAll("-", "")}`) {
  const { db } = jobContext();
  await db.batch([db.delete(paymentKeys), db.delete(paymentSetup)]);
  await savePaymentKeys(atStripe(ownerContext()), { apiKey: key, webhookSecret: SECRET });
  return {
    key,
    store: (...objects: object[]) => post(key, "objects", objects),
    happened: (...events: object[]) => post(key, "events", events),
    requests: () => post(key, "requests", {}) as Promise<string[]>,
  };
}

/** A notice with the header that Stripe would send with it. */
export async function notice(
  event: object,
  { secrets = [SECRET], at = Date.now() }: { secrets?: string[]; at?: number } = {},
) {
  const body = JSON.stringify(event);
  const answer = (await post("sk_test_signs", "sign", { secrets, at: secondsOf(at), body })) as {
    header: string;
  };
  return { header: answer.header, body };
}

const unique = (begins: string) => `${begins}_${crypto.randomUUID().replaceAll("-", "")}`;

/** A price that renews, as Stripe describes it. */
export const aPrice = (fields: object = {}) => ({
  id: unique("price"),
  object: "price",
  active: true,
  billing_scheme: "per_unit",
  currency: "usd",
  livemode: false,
  recurring: { interval: "month", interval_count: 1, usage_type: "licensed" },
  type: "recurring",
  unit_amount: 500,
  ...fields,
});

/** A subscription that has been paid, as Stripe describes it. */
export function aSubscription(
  {
    price,
    email,
    ...fields
  }: { price: { id: string; currency?: string }; email: string | null; [field: string]: unknown },
  charge: object = {},
) {
  const now = secondsOf(Date.now());
  return {
    id: unique("sub"),
    object: "subscription",
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: "charge_automatically",
    created: now - 10,
    currency: "usd",
    current_period_end: now - 10 + 30 * DAY,
    current_period_start: now - 10,
    customer: { id: unique("cus"), object: "customer", email },
    ended_at: null,
    items: {
      object: "list",
      has_more: false,
      data: [
        { id: unique("si"), object: "subscription_item", price: { currency: "usd", ...price }, quantity: 1 },
      ],
    },
    latest_invoice: {
      id: unique("in"),
      object: "invoice",
      status: "paid",
      charge: { id: unique("ch"), object: "charge", refunded: false, disputed: false, ...charge },
    },
    livemode: false,
    status: "active",
    trial_end: null,
    ...fields,
  };
}

/** An event about an object. */
export const anEvent = (type: string, object: object, fields: object = {}) => ({
  id: unique("evt"),
  object: "event",
  api_version: "2024-06-20",
  created: secondsOf(Date.now()),
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
  data: { object },
  ...fields,
});

/** An account, and the price of a tier there. */
export async function aTierPrice() {
  await jobContext().db.delete(tierPrices);
  const [account, tierId, price] = [await stripeAccount(), await anyTier(), aPrice()];
  await account.store(price);
  const { id } = await createTierPrice(atStripe(ownerContext()), { tierId, price: price.id });
  return { account, price, id };
}
