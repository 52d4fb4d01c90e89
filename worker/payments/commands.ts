import { eq, sql } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRow } from "#worker/accounts/audit-log.ts";
import { isTier } from "#worker/members/tier-queries.ts";
import { beginPaymentComparison, continuePaymentComparison } from "#worker/payments/comparison.ts";
import {
  intervals,
  MOST_PRICES,
  NewTierPrice,
  PaymentKeys,
  type Interval,
} from "#worker/payments/contract.ts";
import { isLiveKey, paymentKeysColumn, requirePaymentKeys } from "#worker/payments/keys.ts";
import { Account, Price, askStripe } from "#worker/payments/stripe.ts";
import { paymentKeys, paymentSetup, tierPrices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";
import { seal } from "#worker/platform/data/sealed.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logAsNull } from "#worker/platform/log.ts";

const logRow = (ctx: Context, detail: string) =>
  eventRow(ctx, { kind: "payment_keys_changed", email: actorEmail(ctx), detail });

/**
 * Stores the keys of Stripe, once Stripe has accepted the API key.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`; `conflict` for a key that Stripe refuses;
 * `unavailable`
 */
export async function savePaymentKeys(ctx: Context, input: PaymentKeys) {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const keys = parseInput(PaymentKeys, input);
  const { id: account } = await askStripe(ctx, { key: keys.apiKey, path: "account", schema: Account });
  const secret = await seal(ctx, paymentKeysColumn.purpose, JSON.stringify(keys));
  const isLive = isLiveKey(keys.apiKey);
  const setup = { account, isLive, problem: null, comparesFrom: null, comparedTo: null };
  const isSame = sql`${paymentSetup.account} = ${account} and ${paymentSetup.isLive} = ${isLive ? 1 : 0}`;
  await ctx.db.batch([
    logRow(ctx, `changed, account ${account}`),
    ctx.db
      .insert(paymentKeys)
      .values({ id: 1, secret })
      .onConflictDoUpdate({ target: paymentKeys.id, set: { secret } }),
    ctx.db
      .insert(paymentSetup)
      .values({ id: 1, ...setup })
      .onConflictDoUpdate({
        target: paymentSetup.id,
        // Of another account, the events of all days are compared.
        set: { ...setup, comparedAt: sql`case when ${isSame} then ${paymentSetup.comparedAt} end` },
      }),
  ]);
}

/**
 * Removes the keys: notices are no longer accepted. Memberships stay as they are.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`
 */
export async function deletePaymentKeys(ctx: Context) {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  await ctx.db.batch([logRow(ctx, "removed"), ctx.db.delete(paymentKeys), ctx.db.delete(paymentSetup)]);
}

/**
 * Asks Stripe for the account of the stored key. Returns its id.
 * @throws `unauthenticated`, `forbidden`; `conflict` without keys, and for a key that Stripe refuses; `unavailable`
 */
export async function testPaymentKeys(ctx: Context) {
  requireCapability("settings", ctx);
  const { apiKey } = await requirePaymentKeys(ctx);
  const { id } = await askStripe(ctx, { key: apiKey, path: "account", schema: Account });
  return { account: id };
}

/**
 * Lets a price at Stripe be a tier's.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a price that renews neither monthly nor yearly, and a tier that does
 * not exist; `conflict` without keys, for a price that Stripe does not know or a tier has, and when there are too many;
 * `unavailable`
 */
export async function createTierPrice(ctx: Context, input: NewTierPrice) {
  requireCapability("settings", ctx);
  const { tierId, price: id } = parseInput(NewTierPrice, input);
  const { apiKey } = await requirePaymentKeys(ctx);
  const price = await askStripe(ctx, { key: apiKey, path: `prices/${id}`, schema: Price });
  const fault = faultOf(price);
  if (fault) throw new AppError("invalid", fault, { field: "price" });
  const row = {
    tierId,
    price: price.id,
    currency: price.currency.toUpperCase(),
    amount: price.unit_amount!,
    interval: price.recurring!.interval as Interval,
  };
  const hasRoom = sql`(select count(*) from ${tierPrices}) < ${MOST_PRICES}`;
  const [created] = await refusingTaken("tier_prices.price", "A tier has this price already.", () =>
    ctx.db
      .insert(tierPrices)
      .select(
        sql`select null, ${row.tierId}, ${row.price}, ${row.currency}, ${row.amount}, ${row.interval} where ${hasRoom} and ${isTier(tierId)}`,
      )
      .returning({ id: tierPrices.id }),
  );
  if (created) return created;
  if ((await ctx.db.$count(tierPrices)) < MOST_PRICES)
    throw new AppError("invalid", "This tier was deleted. Choose another one.", { field: "tierId" });
  throw new AppError("conflict", `There are ${MOST_PRICES} prices, which is the most. Remove one first.`);
}

function faultOf({ active, unit_amount: amount, recurring }: ReturnType<typeof Price.parse>) {
  if (!active) return "This price is archived at Stripe.";
  if (amount === null) return "This price has no fixed amount.";
  const isKnown = (intervals as readonly string[]).includes(recurring?.interval ?? "");
  return isKnown && recurring?.interval_count === 1
    ? null
    : "This price renews neither each month nor each year.";
}

/**
 * Takes a price from its tier. Memberships stay; a later notice of this price is refused.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteTierPrice(ctx: Context, id: number) {
  requireCapability("settings", ctx);
  const [deleted] = await ctx.db
    .delete(tierPrices)
    .where(eq(tierPrices.id, id))
    .returning({ id: tierPrices.id });
  if (!deleted) throw new AppError("not_found", "There is no such price.");
}

/**
 * Begins a comparison with Stripe, and takes its first step; the cron takes the others.
 * @throws `unauthenticated`, `forbidden`; `conflict` without keys; `unavailable`
 */
export async function comparePayments(ctx: Context) {
  requireCapability("settings", ctx);
  await requirePaymentKeys(ctx);
  await beginPaymentComparison(ctx);
  await continuePaymentComparison(ctx).catch(logAsNull("payments: the first step of a comparison failed"));
}
