import { eq, sql } from "drizzle-orm";
import {
  addPayingMember,
  findPayingMember,
  memberAt,
  setPaidMembership,
} from "#worker/members/paid-membership.ts";
import { readAddress } from "#worker/newsletter/addresses.ts";
import type { NoticeOutcome } from "#worker/payments/contract.ts";
import { Disputes, askStripe, Subscription } from "#worker/payments/stripe.ts";
import { paymentNotices, paymentSubscriptions, tierPrices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { refusingBroken } from "#worker/platform/data/publishing.ts";
import { AppError } from "#worker/platform/errors.ts";

type Notice = { id: string; type: string };

/** A notice that changes no membership, with what the owner reads about it. */
export type Unapplied = { outcome: Exclude<NoticeOutcome, "applied">; message: string };

/**
 * Reads a subscription from Stripe and makes its member's membership what it says. The notice says only that something changed:
 * Stripe promises no order of notices, and the subscription that is read is newer than each of them. The row's version refuses a
 * write if another one came since it was read. One batch stores the notice, the subscription and the membership, so that an
 * interrupted one has had no effect.
 * @throws {StripeError}; `unavailable`; `conflict` while another notice is being processed
 */
export async function applySubscription(ctx: Context, key: string, notice: Notice, id: string) {
  const [known] = await ctx.db.select().from(paymentSubscriptions).where(eq(paymentSubscriptions.id, id));
  const version = known?.version ?? 0;
  const subscription = await askStripe(ctx, {
    key,
    path: `subscriptions/${encodeURIComponent(id)}`,
    query: [
      ["expand[]", "customer"],
      ["expand[]", "latest_invoice.charge"],
    ],
    schema: Subscription,
  });
  const until = await untilOf(ctx, key, subscription);
  const [first, ...others] = subscription.items.data;
  const [price] = await ctx.db
    .select({ tierId: tierPrices.tierId })
    .from(tierPrices)
    .where(eq(tierPrices.price, first?.price.id ?? ""));
  // Nothing was paid for yet.
  if (until === "never" && !known) return storeNotice(ctx, notice, null);
  if (known && known.memberId === null)
    return storeNotice(ctx, notice, deletedMember(id, subscription.status));
  if (!first || others.length > 0 || !price) return storeNotice(ctx, notice, unknownPrice(id, first?.price));
  const found = known?.memberId ? { id: known.memberId } : addressOf(subscription);
  if ("why" in found) return storeNotice(ctx, notice, refused(`The subscription ${id}: ${found.why}`));
  const member = await findPayingMember(ctx, found);
  const paid = {
    tierId: price.tierId,
    since: subscription.created,
    until: until === "never" ? subscription.created : until,
  };
  const isRunning = paid.until === null || paid.until > ctx.now;
  // A subscription that has ended makes no member.
  if (!member && !isRunning) return storeNotice(ctx, notice, null);
  const { customer, status } = subscription;
  const row = { id, customer: customer.id, status, ...paid, version: version + 1 };
  const memberId = "id" in found ? sql`${found.id}` : memberAt(found.email);
  const best = (column: string) =>
    sql`(select ${sql.identifier(column)} from ${paymentSubscriptions} where member_id = ${memberId}
      and tier_id is not null order by until is null desc, until desc, since desc limit 1)`;
  const kept = member && !member.isPaid ? keptByHand(id) : null;
  const isCurrent = sql`coalesce((select version from ${paymentSubscriptions} where id = ${id}), 0) = ${version}`;
  await onceOnly(() =>
    ctx.db.batch([
      forgetNotice(ctx, notice),
      noticeRow(ctx, notice, kept, isCurrent),
      ...("email" in found
        ? [addPayingMember(ctx, { email: found.email, ...paid }, sql`${isRunning ? 1 : 0}`)]
        : []),
      ctx.db
        .insert(paymentSubscriptions)
        .values({ ...row, memberId })
        .onConflictDoUpdate({ target: paymentSubscriptions.id, set: { ...row } }),
      setPaidMembership(ctx, memberId, {
        tierId: best("tier_id"),
        since: best("since"),
        until: best("until"),
      }),
    ]),
  );
}

/**
 * When the membership of a subscription ends; null while it renews, "never" before it was paid. The days of grace are added where a
 * membership opens something.
 */
async function untilOf(
  ctx: Context,
  key: string,
  subscription: Subscription,
): Promise<Date | null | "never"> {
  const { status } = subscription;
  if (status === "incomplete" || status === "incomplete_expired") return "never";
  const ends = subscription.ended_at ?? endOf(subscription);
  const charge = subscription.latest_invoice?.charge;
  if (!charge || (!charge.refunded && !charge.disputed)) return ends;
  // The last payment is paid back, so the membership ends where the period of that payment began.
  const start = subscription.current_period_start;
  if (charge.refunded) return start;
  const { data } = await askStripe(ctx, {
    key,
    path: "disputes",
    query: [["charge", charge.id]],
    schema: Disputes,
  });
  const isLost = data.some(({ status: of }) => !["won", "warning_closed"].includes(of));
  return isLost ? start : ends;
}

function endOf({ status, ...subscription }: Subscription) {
  // The period that began unpaid.
  if (status === "past_due" || status === "unpaid") return subscription.current_period_start;
  if (status === "paused") return subscription.trial_end ?? subscription.current_period_start;
  if (subscription.cancel_at) return subscription.cancel_at;
  return subscription.cancel_at_period_end ? subscription.current_period_end : null;
}

function addressOf({ customer: { email } }: Subscription) {
  return email ? readAddress(email) : { why: "its customer has no email address at Stripe." };
}

const refused = (message: string): Unapplied => ({ outcome: "refused", message });

const unknownPrice = (id: string, price: { id: string; currency: string } | undefined) =>
  refused(
    price
      ? `The subscription ${id} is of the price ${price.id} in ${price.currency.toUpperCase()}, which no tier has. Add the price to a tier, then compare.`
      : `The subscription ${id} has no price.`,
  );

const keptByHand = (id: string): Unapplied => ({
  outcome: "kept",
  message: `The subscription ${id} is of a member with a membership by hand, which stays as it is.`,
});

function deletedMember(id: string, status: string): Unapplied | null {
  if (status === "canceled") return null;
  return {
    outcome: "kept",
    message: `The subscription ${id} is of a member who was deleted, and isn’t cancelled. Cancel it at Stripe.`,
  };
}

/** Stores a notice without an effect. @throws `conflict` while the same one is being processed */
export const storeNotice = (ctx: Context, notice: Notice, why: Unapplied | null) =>
  onceOnly(() => ctx.db.batch([forgetNotice(ctx, notice), noticeRow(ctx, notice, why, sql`true`)]));

/** One that was refused is processed again. */
const forgetNotice = ({ db }: Context, { id }: Notice) =>
  db
    .delete(paymentNotices)
    .where(sql`${paymentNotices.id} = ${id} and ${paymentNotices.outcome} = 'refused'`);

/** The notice's row; without an outcome, which `provided` decides, the batch fails. */
const noticeRow = (
  { db, now }: Context,
  { id, type }: Notice,
  why: Unapplied | null,
  provided: ReturnType<typeof sql>,
) =>
  db.insert(paymentNotices).values({
    id,
    type,
    outcome: sql`case when ${provided} then ${why?.outcome ?? "applied"} end`,
    message: why?.message ?? "",
    receivedAt: now,
  });

async function onceOnly(write: () => Promise<unknown>) {
  const overtaken = () => new AppError("conflict", "Another notice of this subscription is being processed.");
  await refusingBroken("NOT NULL constraint failed: payment_notices.outcome", overtaken, () =>
    refusingBroken("UNIQUE constraint failed: payment_notices.id", overtaken, write),
  );
}
