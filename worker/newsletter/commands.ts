import { and, eq, exists, inArray, lt, lte, ne, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { z } from "zod";
import { recordFeedback } from "#worker/letters/feedback.ts";
import { renderUncounted, UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { MAIL_TOPIC, mailOf, newMessageId, type Mail } from "#worker/mail/message.ts";
import { NEWSLETTER_TOPIC, requestRow, type Request } from "#worker/newsletter/confirmation.ts";
import {
  ACCOUNT_CONSENT,
  CONSENT,
  INVALID_UNSUBSCRIBE,
  JOINED_TOO_OFTEN,
  NOT_ACTIVE,
  PreferencesInput,
  SubscribeInput,
  UnsubscribeInput,
  VERIFICATION_FAILED,
  VerifyInput,
} from "#worker/newsletter/contract.ts";
import { forgetSubscribers } from "#worker/newsletter/forget-subscribers.ts";
import { findConfirmed, isPending, requireNewsletter } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { unsubscribed } from "#worker/newsletter/unsubscribed.ts";
import { leavingEvent, subscriberEvent } from "#worker/newsletter/subscriber-events.ts";
import { readUnsubscribe, signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { deleteInBatches } from "#worker/platform/data/prune.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enforceLimits, perAddress } from "#worker/platform/http/rate.ts";
import { readLink } from "#worker/platform/http/signed.ts";
import { enqueue, outboxRow, outboxRowIf } from "#worker/platform/work/outbox.ts";
import type { Site } from "#worker/settings/contract.ts";
import { limitsOfDoubt } from "#worker/spam/judge.ts";
import { chosenTopics, topicsWithout } from "#worker/topics/choices.ts";
import type { TopicChoice } from "#worker/topics/contract.ts";

/** Milliseconds after the latest request. */
const UNCONFIRMED_RETENTION = 30 * 86_400_000;
/** To one mailbox. */
const MAILS_AN_HOUR = 3;
/** From one network address, which may be a whole office. */
const REQUESTS_AN_HOUR = 30;

/**
 * Writes one outbox row and reads no subscriber, so that neither the answer nor its timing reveals whether the address
 * is subscribed. `doubt`: why a program may have sent it. Every sign-up is confirmed by email anyway.
 * @throws `not_found` while the newsletter is switched off; `invalid`; `too_many`
 */
export async function subscribe(ctx: Context, input: SubscribeInput, { doubt } = { doubt: "" }) {
  await requireNewsletter(ctx);
  const { email, source } = parseInput(SubscribeInput, input);
  // Also per mailbox, so that no mailbox can be flooded.
  await enforceLimits(ctx, [
    ...perAddress(ctx, "subscribe", REQUESTS_AN_HOUR),
    { subject: `newsletter-mail:${email}`, most: MAILS_AN_HOUR },
    ...limitsOfDoubt(doubt),
  ]);
  const request: Request = { email, source, consent: CONSENT };
  const { id, statement } = outboxRow(ctx, NEWSLETTER_TOPIC, request);
  await statement;
  enqueue(ctx, id);
}

/** Deletes subscribers who never confirmed. Those who unsubscribed stay, so that nothing is sent to them. */
export async function pruneUnconfirmed({ db, now }: Context) {
  const past = new Date(now.getTime() - UNCONFIRMED_RETENTION);
  const old = db
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(eq(subscribers.state, "pending"), lt(subscribers.subscribedAt, past)));
  await deleteInBatches((limit) => db.delete(subscribers).where(inArray(subscribers.id, old.limit(limit))));
}

/** Clears pauses that are over, so that the index has only running ones. */
export async function endPauses({ db, now }: Context) {
  await db.update(subscribers).set({ pausedUntil: null }).where(lte(subscribers.pausedUntil, now));
}

/**
 * Confirms the subscription, or ends its pause, and stores which topics were chosen. The new stamp invalidates this link and all others for it; using one
 * again is not an error.
 * @throws `not_found` while the newsletter is switched off; `invalid`, also for an expired link
 */
export async function verifySubscriber(ctx: Context, input: VerifyInput) {
  const site = await requireNewsletter(ctx);
  const { token, choice, topics } = parseInput(VerifyInput, input);
  const link = await readLink(ctx, "verify-subscriber", token);
  const chosen = choice && { choice, topics };
  const confirmed = link.ok && (await confirm(ctx, site, link, chosen));
  if (confirmed) return { ...confirmed, isNew: true };
  const before = await findConfirmed(ctx, token);
  if (!before) throw new AppError("invalid", VERIFICATION_FAILED, { field: "token" });
  return { ...before, isNew: false };
}

type Choice = z.output<typeof TopicChoice>;
type VerifyLink = { subject: string; stamp: string };

async function confirm(ctx: Context, site: Site, link: VerifyLink, chosen: Choice | undefined) {
  const welcome = await welcomeRow(ctx, site, link);
  const { event, update } = confirmRows(ctx, link, chosen);
  const [confirmed] = welcome
    ? (await ctx.db.batch([event, welcome.statement, update]))[2]
    : (await ctx.db.batch([event, update]))[1];
  if (confirmed && welcome) enqueue(ctx, welcome.id);
  return confirmed;
}

/** The statements of a confirmation, the event first. */
function confirmRows(ctx: Context, link: VerifyLink, chosen?: Choice) {
  const update = ctx.db
    .update(subscribers)
    .set({
      status: "active",
      verifiedAt: ctx.now,
      unsubscribedAt: null,
      pausedUntil: null,
      softBounces: 0,
      blockedAt: null,
      blockedReason: null,
      stamp: randomToken(),
      ...(chosen && { topicIds: chosenTopics(chosen) }),
    })
    .where(isPending(link, ctx.now))
    .returning({ email: subscribers.email });
  // Before the update, too. A paused subscriber was confirmed already.
  const event = subscriberEvent(
    ctx,
    "subscriber.confirmed",
    sql`${isPending(link, ctx.now)} and ${subscribers.state} <> 'confirmed'`,
  );
  return { event, update };
}

/**
 * The outbox row of the welcome email, to put before the confirmation in its batch: written only if the confirmation
 * will succeed. `joining`: a subscriber who may be written in the same batch.
 */
async function welcomeRow(
  ctx: Context,
  site: Site,
  link: VerifyLink,
  joining?: { id: string; email: string },
) {
  if (site.newsletter.welcomeSubject === "") return null;
  // A paused subscriber is not new.
  const isNew = and(isPending(link, ctx.now), ne(subscribers.state, "confirmed"));
  const newcomer = ctx.db
    .select({ id: subscribers.id, email: subscribers.email })
    .from(subscribers)
    .where(isNew);
  const subscriber = joining ?? (await newcomer)[0];
  const mail = subscriber && (await welcomeMail(ctx, site, subscriber));
  return mail ? outboxRowIf(ctx, MAIL_TOPIC, mail, exists(newcomer)) : null;
}

/**
 * Unsubscribes the address, also while the newsletter is switched off or the subscription is pending. Mail providers
 * repeat the request: an unsubscribed or unknown address is not an error.
 * @throws `invalid`, also for a link that is not valid
 */
export async function unsubscribe(ctx: Context, input: UnsubscribeInput) {
  const link = await readUnsubscribeLink(ctx, input);
  const leave = ctx.db.update(subscribers).set(unsubscribed(ctx)).where(isActive(link));
  const left = leavingEvent(ctx, sql`${subscribers.id} = ${link.subscriberId}`, "unsubscribed");
  await lose(ctx, link, left, leave);
}

/**
 * Subscribes a member, who has proved the address by signing in, with a consent of its own. A subscriber who complained of spam
 * is unchanged.
 * @throws `not_found` while the newsletter is switched off; `too_many`, since each time may send the welcome email
 */
export async function joinLetters(ctx: Context, email: string) {
  const site = await requireNewsletter(ctx);
  // Apart from the public form's, which strangers can use up.
  await enforceLimits(ctx, [{ subject: `member-letters:${email}`, most: MAILS_AN_HOUR }], JOINED_TOO_OFTEN);
  const [known] = await ctx.db
    .select({ id: subscribers.id, stamp: subscribers.stamp })
    .from(subscribers)
    .where(eq(subscribers.email, email));
  const { id, stamp } = known ?? { id: crypto.randomUUID(), stamp: randomToken() };
  const link = { subject: id, stamp };
  const request: Request = { email, source: "account", consent: ACCOUNT_CONSENT };
  const written = requestRow(ctx, request, { subscribedAt: ctx.now, id, stamp });
  const welcome = await welcomeRow(ctx, site, link, { id, email });
  const { event, update } = confirmRows(ctx, link);
  await (welcome
    ? ctx.db.batch([written, event, welcome.statement, update])
    : ctx.db.batch([written, event, update]));
  if (welcome) enqueue(ctx, welcome.id);
}

/** Unsubscribes a member. An inactive or missing subscription is unchanged. */
export async function leaveLetters(ctx: Context, email: string) {
  const isIt = and(eq(subscribers.email, email), eq(subscribers.status, "active"));
  await ctx.db.batch([
    leavingEvent(ctx, sql`${subscribers.email} = ${email}`, "unsubscribed"),
    ctx.db.update(subscribers).set(unsubscribed(ctx)).where(isIt),
  ]);
}

/** Milliseconds. */
export const PAUSE = 30 * 86_400_000;

/**
 * Pauses letters for 30 days from now.
 * @throws `invalid`, also for a link that is not valid, and for an address that gets no letters
 */
export async function pauseLetters(ctx: Context, input: UnsubscribeInput) {
  const link = await readUnsubscribeLink(ctx, input);
  const pausedUntil = new Date(ctx.now.getTime() + PAUSE);
  const [paused] = await ctx.db
    .update(subscribers)
    .set({ pausedUntil })
    .where(isActive(link))
    .returning({ id: subscribers.id });
  if (!paused) throw new AppError("invalid", NOT_ACTIVE, { field: "token" });
  return { pausedUntil: pausedUntil.getTime() };
}

/**
 * Deletes a subscription with all its data, in any state; idempotent. Sent letters stay counted, anonymously. A membership stays:
 * letters are forwarded, and their tokens never expire.
 * @throws `invalid`, also for a link that is not valid
 */
export async function forgetSubscriber(ctx: Context, input: UnsubscribeInput) {
  const link = await readUnsubscribeLink(ctx, input);
  await lose(ctx, link, ...forgetSubscribers(ctx, sql`${subscribers.id} = ${link.subscriberId}`));
}

/**
 * Chooses the topics of an active subscriber, or leaves one of them. The letters to all are unchanged by it: only
 * `unsubscribe` ends those.
 * @throws `invalid`, also for a link that is not valid, and for an address that gets no letters
 */
export async function choosePreferences(ctx: Context, input: PreferencesInput) {
  const { token, leave, choice, topics } = parseInput(PreferencesInput, input);
  const link = await readUnsubscribeLink(ctx, { token });
  const topicIds =
    leave === undefined ? chosenTopics({ choice: choice ?? "all", topics }) : topicsWithout(leave);
  const [changed] = await ctx.db
    .update(subscribers)
    .set({ topicIds })
    .where(isActive(link))
    .returning({ id: subscribers.id });
  if (!changed) throw new AppError("invalid", NOT_ACTIVE, { field: "token" });
}

/** The same for a member. An inactive or missing subscription is unchanged. */
export async function chooseTopicsOf(ctx: Context, email: string, choice: Choice) {
  await ctx.db
    .update(subscribers)
    .set({ topicIds: chosenTopics(choice) })
    .where(and(eq(subscribers.email, email), eq(subscribers.status, "active")));
}

type UnsubscribeLink = { subscriberId: string; letterId: number | null };

/** @throws `invalid` */
async function readUnsubscribeLink(ctx: Context, input: UnsubscribeInput): Promise<UnsubscribeLink> {
  const { token } = parseInput(UnsubscribeInput, input);
  const link = await readUnsubscribe(ctx, token);
  if (!link) throw new AppError("invalid", INVALID_UNSUBSCRIBE, { field: "token" });
  return link;
}

const isActive = ({ subscriberId }: UnsubscribeLink) =>
  and(eq(subscribers.id, subscriberId), eq(subscribers.status, "active"));

type Batch = [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]];

/** Unsubscribes, and counts the loss for the letter whose link was used. */
async function lose(ctx: Context, link: UnsubscribeLink, ...leave: Batch) {
  const { subscriberId, letterId } = link;
  if (letterId === null) return void (await ctx.db.batch(leave));
  const isThere = exists(ctx.db.select({ id: subscribers.id }).from(subscribers).where(isActive(link)));
  const lost = recordFeedback(ctx, { letterId, subscriberId, feedback: "unsubscribed" }, isThere);
  await ctx.db.batch([...lost, ...leave]);
}

/** The welcome email after confirmation, composed like a letter; null if the owner has written none. */
async function welcomeMail(
  ctx: Context,
  { newsletter: { welcomeSubject, welcomeText } }: Site,
  { id, email }: { id: string; email: string },
): Promise<Mail | null> {
  if (welcomeSubject === "") return null;
  const [{ mail }, token] = await Promise.all([
    renderUncounted(ctx, { subject: welcomeSubject, preheader: "", content: welcomeText }),
    signUnsubscribe(ctx, { id }),
  ]);
  const copy = { to: email, messageId: newMessageId(ctx), values: { [UNSUBSCRIBE_SLOT]: token } };
  return mailOf(copy, mail);
}
