import { desc, eq, sql } from "drizzle-orm";
import { requireAccounts } from "#worker/members/account/queries.ts";
import { stateOf } from "#worker/members/membership-state.ts";
import { findMember, requireMember } from "#worker/members/sessions.ts";
import { NewCheckout, type Elsewhere } from "#worker/payments/contract.ts";
import { readPaymentKeys } from "#worker/payments/keys.ts";
import { findPaidMembership } from "#worker/payments/offer-queries.ts";
import { askStripe, StripePage } from "#worker/payments/stripe.ts";
import { paymentSubscriptions, tierPrices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";
import { countHourly } from "#worker/platform/http/rate.ts";

/** Of one network address, which may be a whole office. Each makes a session at Stripe. */
const CHECKOUTS_AN_HOUR = 30;

/**
 * Makes the page of Stripe's where a visitor joins by card, for the member's address if one is signed in. No card data reaches the
 * site.
 * @throws `not_found` while members' accounts are switched off, and for an offer that there is not; `invalid`; `conflict` for a member
 * who pays already; `too_many`; `unavailable`
 */
export async function startCheckout(
  ctx: Context,
  token: string | undefined,
  input: NewCheckout,
): Promise<Elsewhere> {
  await requireAccounts(ctx);
  const { price: id } = parseInput(NewCheckout, input);
  const [keys, [price], member] = await Promise.all([
    readPaymentKeys(ctx),
    ctx.db.select({ price: tierPrices.price }).from(tierPrices).where(eq(tierPrices.id, id)),
    findMember(ctx, token),
  ]);
  if (!keys || !price) throw new AppError("not_found", "This offer is no longer there. Reload the page.");
  if (member && (await findPaidMembership(ctx, member.id)))
    throw new AppError("conflict", "You pay by card already. Change it under Manage payments.");
  if (member && member.source !== "stripe" && stateOf(member, ctx.now) !== "ended")
    throw new AppError("conflict", "You are a member already. To pay by card, ask us.");
  await countHourly(ctx, "checkout", CHECKOUTS_AN_HOUR);
  return askStripe(ctx, {
    key: keys.apiKey,
    path: "checkout/sessions",
    form: {
      mode: "subscription",
      "line_items[0][price]": price.price,
      "line_items[0][quantity]": "1",
      success_url: `${ctx.config.siteUrl}/account#joined`,
      cancel_url: `${ctx.config.siteUrl}/account`,
      ...(member && { customer_email: member.email }),
    },
    schema: StripePage,
  });
}

/**
 * Makes the page of Stripe's where a member changes the card, reads receipts and ends the payments.
 * @throws `not_found` while members' accounts are switched off; `unauthenticated`; `conflict` for a member who does not pay by card;
 * `unavailable`
 */
export async function openPortal(ctx: Context, token: string | undefined): Promise<Elsewhere> {
  await requireAccounts(ctx);
  const { id } = await requireMember(ctx, token);
  const { until, customer, memberId, since } = paymentSubscriptions;
  const [[payer], keys] = await Promise.all([
    ctx.db
      .select({ customer })
      .from(paymentSubscriptions)
      .where(eq(memberId, id))
      .orderBy(sql`${until} is null desc`, desc(until), desc(since))
      .limit(1),
    readPaymentKeys(ctx),
  ]);
  if (!payer || !keys) throw new AppError("conflict", "Your membership isn’t paid by card.");
  return askStripe(ctx, {
    key: keys.apiKey,
    path: "billing_portal/sessions",
    form: { customer: payer.customer, return_url: `${ctx.config.siteUrl}/account` },
    schema: StripePage,
  });
}
