import { asc, count, desc, eq, gt, isNotNull, and, isNull, ne, or } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { readTierTexts } from "#worker/members/tier-queries.ts";
import { MOST_PRICES, type PaymentSetup } from "#worker/payments/contract.ts";
import { EVENT_TYPES } from "#worker/payments/notices.ts";
import { paymentNotices, paymentSetup, paymentSubscriptions, tierPrices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Notices that the owner sees. */
const NOTICES = 20;

const STRIPE_WEBHOOK = "/api/webhooks/stripe";

/** @throws `unauthenticated`, `forbidden` */
export async function readPaymentSetup(ctx: Context): Promise<PaymentSetup> {
  requireCapability("settings", ctx);
  const { db, now } = ctx;
  const { until, memberId } = paymentSubscriptions;
  const [setups, prices, notices, paying, tiers] = await db.batch([
    db.select().from(paymentSetup).where(eq(paymentSetup.id, 1)),
    db.select().from(tierPrices).orderBy(asc(tierPrices.currency), asc(tierPrices.amount)).limit(MOST_PRICES),
    db
      .select()
      .from(paymentNotices)
      .where(ne(paymentNotices.outcome, "applied"))
      .orderBy(desc(paymentNotices.receivedAt))
      .limit(NOTICES),
    db
      .select({ count: count() })
      .from(paymentSubscriptions)
      .where(and(isNotNull(memberId), or(isNull(until), gt(until, now)))),
    readTierTexts(ctx),
  ]);
  const setup = setups[0];
  return {
    account: setup ? { id: setup.account, isLive: setup.isLive } : null,
    webhookUrl: ctx.config.siteUrl + STRIPE_WEBHOOK,
    events: EVENT_TYPES,
    prices: tiers.flatMap(({ id, name }) =>
      prices.filter(({ tierId }) => tierId === id).map((price) => ({ ...price, tier: name })),
    ),
    paying: paying[0]?.count ?? 0,
    comparedAt: setup?.comparedAt?.getTime() ?? null,
    isComparing: (setup?.comparesFrom ?? null) !== null,
    problem: setup?.problem ?? null,
    notices: notices.map(({ id, type, message, receivedAt }) => ({
      id,
      type,
      message,
      receivedAt: receivedAt.getTime(),
    })),
  };
}
