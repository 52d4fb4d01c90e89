import { and, asc, eq, exists, inArray, isNull, lte, or } from "drizzle-orm";
import { readTierTexts } from "#worker/members/tier-queries.ts";
import { MOST_PRICES, type JoinOffer } from "#worker/payments/contract.ts";
import { paymentKeys, paymentSubscriptions, tierPrices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** What visitors may join by card, in the owner's order of tiers; empty without the keys of Stripe. */
export async function listJoinOffers(ctx: Context): Promise<JoinOffer[]> {
  const { db } = ctx;
  const [tiers, prices] = await Promise.all([
    readTierTexts(ctx),
    db
      .select()
      .from(tierPrices)
      .where(exists(db.select({ id: paymentKeys.id }).from(paymentKeys)))
      .orderBy(asc(tierPrices.interval), asc(tierPrices.currency), asc(tierPrices.amount))
      .limit(MOST_PRICES),
  ]);
  return tiers.flatMap(({ id: tierId, name, description }) =>
    prices
      .filter((price) => price.tierId === tierId)
      .map(({ id, currency, amount, interval }) => ({
        id,
        tier: name,
        description,
        currency,
        amount,
        interval,
      })),
  );
}

/**
 * A subscription of the member that Stripe would still charge for; undefined without one. One that is active after the end of its
 * membership was paid back, and renews.
 */
export async function findPaidMembership({ db, now }: Context, member: number) {
  const { id, memberId, until, status } = paymentSubscriptions;
  const isUnpaid = inArray(status, ["past_due", "unpaid", "paused"]);
  const isPaidBack = and(inArray(status, ["active", "trialing"]), lte(until, now));
  const [found] = await db
    .select({ id })
    .from(paymentSubscriptions)
    .where(and(eq(memberId, member), or(isNull(until), isUnpaid, isPaidBack)))
    .limit(1);
  return found;
}

/** @throws `conflict` while the member's payments would continue without the account */
export async function requirePaymentsEnded(ctx: Context, member: number) {
  if (await findPaidMembership(ctx, member))
    throw new AppError(
      "conflict",
      "Your membership is paid by card, and would still be charged. End the payments first, under Manage payments.",
    );
}
