import { and, eq, isNotNull } from "drizzle-orm";
import { readPaymentKeys } from "#worker/payments/keys.ts";
import { EVENT_TYPES, takeEvent } from "#worker/payments/notices.ts";
import { Events, askStripe, StripeError } from "#worker/payments/stripe.ts";
import { paymentSetup } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

const DAY = 86_400_000;
/** Stripe lists the events of 30 days; of the last day each is compared, since it may be listed late. */
const LISTED_MS = 30 * DAY;
const OVERLAP_MS = DAY;
/** Events of a step. Each takes up to three requests and ten statements; the free plan has 50 of either. */
const PAGE = { free: 3, paid: 20 };
/** Milliseconds that a tick works on. */
const STEP_MS = 20_000;

const isIt = eq(paymentSetup.id, 1);

/** Begins to compare the events at Stripe with those that were processed. One that runs continues. */
export async function beginPaymentComparison(ctx: Context) {
  const [setup] = await ctx.db.select().from(paymentSetup).where(isIt);
  if (!setup || setup.comparesFrom !== null) return;
  const now = ctx.now.getTime();
  // Refused events are tried again for as long as they are listed.
  const from = setup.comparedAt ? setup.comparedAt.getTime() - OVERLAP_MS - 6 * DAY : 0;
  await ctx.db
    .update(paymentSetup)
    .set({
      comparesFrom: new Date(Math.max(from, now - LISTED_MS)),
      comparisonAt: ctx.now,
      comparedTo: null,
    })
    .where(isIt);
}

const isComparing = and(isIt, isNotNull(paymentSetup.comparesFrom));

export const hasPaymentComparison = async ({ db }: Context) =>
  (await db.$count(paymentSetup, isComparing)) > 0;

/** Continues a comparison: one page on the free plan, otherwise for some seconds. Returns false if it changed nothing. */
export async function continuePaymentComparison(ctx: Context) {
  const ends = ctx.clock().getTime() + STEP_MS;
  let hasWorked = false;
  while (await comparePage(ctx)) {
    hasWorked = true;
    if (ctx.config.plan === "free" || ctx.clock().getTime() >= ends) break;
  }
  return hasWorked;
}

/** Compares the next page of events. Returns whether there was one. */
async function comparePage(ctx: Context) {
  const [setup] = await ctx.db.select().from(paymentSetup).where(isComparing);
  const keys = setup && (await readPaymentKeys(ctx));
  if (!keys) return false;
  const { comparesFrom, comparisonAt, comparedTo } = setup;
  try {
    const { data, has_more: hasMore } = await askStripe(ctx, {
      key: keys.apiKey,
      path: "events",
      query: [
        ["limit", String(PAGE[ctx.config.plan])],
        ["created[gte]", String(Math.floor(comparesFrom!.getTime() / 1000))],
        ...EVENT_TYPES.map((type): [string, string] => ["types[]", type]),
        ...(comparedTo === null ? [] : [["starting_after", comparedTo] satisfies [string, string]]),
      ],
      schema: Events,
    });
    for (const event of data) await takeEvent(ctx, keys.apiKey, event);
    const next = hasMore ? (data.at(-1)?.id ?? null) : null;
    await ctx.db
      .update(paymentSetup)
      .set(
        next === null
          ? { comparesFrom: null, comparedTo: null, comparedAt: comparisonAt, problem: null }
          : { comparedTo: next, problem: null },
      )
      .where(isComparing);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // An event at which the page before ended may have become too old to be found.
    const isLost = error instanceof StripeError && (error.answered === 400 || error.answered === 404);
    const from = isLost ? { comparesFrom: null } : {};
    await ctx.db
      .update(paymentSetup)
      .set({ problem: error.message, ...from })
      .where(isIt);
    return false;
  }
}
