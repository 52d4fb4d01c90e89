import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { NEWSLETTER_TOPIC, type Request } from "#worker/newsletter/confirmation.ts";
import {
  CONSENT,
  INVALID_UNSUBSCRIBE,
  SubscribeInput,
  UnsubscribeInput,
  VERIFICATION_FAILED,
  VerifyInput,
} from "#worker/newsletter/contract.ts";
import { isPending, requireNewsletter } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { readUnsubscribe } from "#worker/newsletter/unsubscribe-links.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { outboxRow, enqueue } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";
import { enforceLimits, perAddress } from "#worker/platform/rate.ts";
import { readLink } from "#worker/platform/signed.ts";

/** Milliseconds after the latest request. */
const UNCONFIRMED_RETENTION = 30 * 86_400_000;
const PRUNED_A_RUN = 2000;
/** To one mailbox. */
const MAILS_AN_HOUR = 3;
/** From one network address, which may be a whole office. */
const REQUESTS_AN_HOUR = 30;

/**
 * Writes one outbox row and reads no subscriber, so that neither the answer nor its time tells whether the address
 * subscribes already.
 * @throws `not_found` while the newsletter is switched off; `invalid`; `too_many`
 */
export async function subscribe(ctx: Context, input: SubscribeInput) {
  await requireNewsletter(ctx);
  const { email, source } = parseInput(SubscribeInput, input);
  // Per mailbox too, whoever asks: nobody's mailbox is flooded.
  await enforceLimits(ctx, [
    ...perAddress(ctx, "subscribe", REQUESTS_AN_HOUR),
    { subject: `newsletter-mail:${email}`, most: MAILS_AN_HOUR },
  ]);
  const request: Request = { email, source, consent: CONSENT };
  const { id, statement } = outboxRow(ctx, NEWSLETTER_TOPIC, request);
  await statement;
  enqueue(ctx, id);
}

/** Deletes subscribers who never confirmed. Those who unsubscribed stay, so that nothing is sent to them. */
export async function pruneUnconfirmed({ db, now }: Context) {
  const past = new Date(now.getTime() - UNCONFIRMED_RETENTION);
  // Literal SQL, as in the partial index: with parameters SQLite would not use it.
  const isUnconfirmed = sql`${subscribers.verifiedAt} is null and ${subscribers.status} = 'active'`;
  const old = db
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(isUnconfirmed, lt(subscribers.subscribedAt, past)))
    .limit(PRUNED_A_RUN);
  await db.delete(subscribers).where(inArray(subscribers.id, old));
}

/**
 * Confirms the subscription. The new stamp invalidates this link and every other one for it.
 * @throws `not_found` while the newsletter is switched off; `invalid`, also for a link that is not valid any more
 */
export async function verifySubscriber(ctx: Context, input: VerifyInput) {
  await requireNewsletter(ctx);
  const { token } = parseInput(VerifyInput, input);
  const link = await readLink(ctx, "verify-subscriber", token);
  const [confirmed] = link.ok
    ? await ctx.db
        .update(subscribers)
        .set({ status: "active", verifiedAt: ctx.now, unsubscribedAt: null, stamp: randomToken() })
        .where(isPending(link))
        .returning({ email: subscribers.email })
    : [];
  if (!confirmed) throw new AppError("invalid", VERIFICATION_FAILED, { field: "token" });
  return confirmed;
}

/**
 * Unsubscribes the address, also while the newsletter is switched off or the subscription is pending. Mail providers ask
 * more than once: an address that is unsubscribed or unknown is no error.
 * @throws `invalid`, also for a link that is not valid
 */
export async function unsubscribe(ctx: Context, input: UnsubscribeInput) {
  const { token } = parseInput(UnsubscribeInput, input);
  const link = await readUnsubscribe(ctx, token);
  if (!link) throw new AppError("invalid", INVALID_UNSUBSCRIBE, { field: "token" });
  await ctx.db
    .update(subscribers)
    .set({ status: "unsubscribed", unsubscribedAt: ctx.now, stamp: randomToken() })
    .where(and(eq(subscribers.id, link.subscriberId), eq(subscribers.status, "active")));
}
