import { and, eq, lt, ne } from "drizzle-orm";
import { applySubscription, storeNotice } from "#worker/payments/apply-subscription.ts";
import { isLiveKey, readPaymentKeys } from "#worker/payments/keys.ts";
import { requireStripeSignature } from "#worker/payments/signature.ts";
import { ChargeOfInvoice, Event, askStripe, StripeError } from "#worker/payments/stripe.ts";
import { paymentNotices } from "#worker/payments/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { refuseBurst } from "#worker/platform/http/rate.ts";

/** The kinds of events that may change a membership. */
export const EVENT_TYPES = [
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "invoice.paid",
  "invoice.payment_failed",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.closed",
] as const;

/** Longer than Stripe lists events, which is 30 days: the comparison would otherwise process them again. */
const KEEP_MS = 40 * 86_400_000;

/** The row by which the owner sees that signatures are wrong: one for all, since anyone may send notices. */
const UNSIGNED = "unsigned";

/**
 * Processes a notice of Stripe. A repeated one, and one of another kind, has no effect.
 * @throws `not_found` without keys; `bad_request`, `unauthenticated` for a signature; `conflict`, `unavailable`, after which
 * Stripe repeats it
 */
export async function takeStripeNotice(
  ctx: Context,
  { header, body }: { header: string | undefined; body: string },
) {
  const keys = await readPaymentKeys(ctx);
  if (!keys) throw new AppError("not_found", "There is nothing at this address.");
  const { apiKey, webhookSecret: secret } = keys;
  try {
    await requireStripeSignature({ secret, header, body }, ctx.now);
  } catch (error) {
    await refuseBurst(ctx, "stripe-notice");
    await noteUnsigned(ctx);
    throw error;
  }
  const { data: event } = Event.safeParse(jsonOf(body));
  if (!event) throw new AppError("bad_request", "The notice is not an event of Stripe.");
  await takeEvent(ctx, apiKey, event);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Processes an event once; a refused one again. @throws `conflict`, `unavailable` */
export async function takeEvent(ctx: Context, key: string, event: Event) {
  if (!(EVENT_TYPES as readonly string[]).includes(event.type) || (await isTaken(ctx, event.id))) return;
  const foreign = whyForeign(key, event);
  if (foreign !== null) return storeNotice(ctx, event, { outcome: "refused", message: foreign });
  try {
    const subscription = await subscriptionOf(ctx, key, event);
    // Such as a payment that is of no subscription.
    if (!subscription) return await storeNotice(ctx, event, null);
    await applySubscription(ctx, key, event, subscription);
  } catch (error) {
    // What Stripe does not know, it will not know later either.
    if (!(error instanceof StripeError) || error.answered !== 404) throw error;
    await storeNotice(ctx, event, { outcome: "refused", message: `${event.type}: ${error.message}` });
  }
}

async function isTaken({ db }: Context, id: string) {
  const isProcessed = and(eq(paymentNotices.id, id), ne(paymentNotices.outcome, "refused"));
  return (await db.$count(paymentNotices, isProcessed)) > 0;
}

function whyForeign(key: string, { livemode, account }: Event) {
  if (account) return `The event is of the connected account ${account}, not of this one.`;
  if (livemode === isLiveKey(key)) return null;
  return livemode
    ? "The event is of real payments, but the key is of Stripe’s test mode."
    : "The event is of Stripe’s test mode, but the key is of real payments.";
}

/** The id of the subscription that an event is about; null if it is about another payment. */
async function subscriptionOf(ctx: Context, key: string, { type, data: { object } }: Event) {
  if (type.startsWith("customer.subscription.")) return object.id ?? null;
  if (!type.startsWith("charge."))
    return object.subscription ?? object.parent?.subscription_details?.subscription ?? null;
  const charge = type === "charge.refunded" ? object.id : object.charge;
  if (!charge) return null;
  const { invoice } = await askStripe(ctx, {
    key,
    path: `charges/${encodeURIComponent(charge)}`,
    query: [["expand[]", "invoice"]],
    schema: ChargeOfInvoice,
  });
  return invoice?.subscription ?? null;
}

const noteUnsigned = ({ db, now }: Context) =>
  db
    .insert(paymentNotices)
    .values({
      id: UNSIGNED,
      type: "Unsigned notice",
      outcome: "refused",
      message:
        "A notice had an invalid signature, or was too old. If it came from Stripe, the signing secret is another one.",
      receivedAt: now,
    })
    .onConflictDoUpdate({ target: paymentNotices.id, set: { receivedAt: now } });

/** Deletes notices that Stripe neither repeats nor lists. */
export async function prunePaymentNotices({ db, now }: Context) {
  await db.delete(paymentNotices).where(lt(paymentNotices.receivedAt, new Date(now.getTime() - KEEP_MS)));
}
