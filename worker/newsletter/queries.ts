import { and, eq, gt, inArray, or } from "drizzle-orm";
import { topicOfLetter } from "#worker/letters/topic-queries.ts";
import {
  CONSENT,
  INVALID_UNSUBSCRIBE,
  MISSING_LINK,
  VERIFICATION_FAILED,
  type LinkState,
  type NewsletterOffer,
  type Unsubscription,
} from "#worker/newsletter/contract.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { readUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readLasting, readLink } from "#worker/platform/http/signed.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import { offerTo, selectTopics } from "#worker/topics/queries.ts";

export type Subscriber = Pick<typeof subscribers.$inferSelect, "id" | "email" | "stamp">;

export const offerNewsletter = ({ features }: Pick<Site, "features">): NewsletterOffer =>
  features.newsletter ? { consent: CONSENT } : null;

/**
 * The state of the page before its button is pressed. Changes nothing: mail scanners open every link.
 * @throws `not_found` while the newsletter is switched off
 */
export async function readVerification(ctx: Context, token: string): Promise<LinkState> {
  await requireNewsletter(ctx);
  if (!token) return { state: "invalid", message: MISSING_LINK };
  const link = await readLink(ctx, "verify-subscriber", token);
  if (link.ok) {
    const [[pending], all] = await ctx.db.batch([
      ctx.db
        .select({ email: subscribers.email, topicIds: subscribers.topicIds })
        .from(subscribers)
        .where(isPending(link, ctx.now)),
      selectTopics(ctx),
    ]);
    if (pending) return { state: "ready", email: pending.email, offer: offerTo(all, pending.topicIds) };
  }
  const confirmed = await findConfirmed(ctx, token);
  return confirmed
    ? { state: "confirmed", ...confirmed }
    : { state: "invalid", message: VERIFICATION_FAILED };
}

/** The confirmed subscriber of a link, which was used itself or replaced by another. It may have expired. */
export async function findConfirmed(ctx: Context, token: string) {
  const link = await readLasting(ctx, "verify-subscriber", token);
  if (!link.ok) return undefined;
  const [confirmed] = await ctx.db
    .select({ email: subscribers.email })
    .from(subscribers)
    .where(and(eq(subscribers.id, link.subject), eq(subscribers.state, "confirmed")));
  return confirmed;
}

/** The state of the unsubscribe page. Changes nothing either. */
export async function readUnsubscription(ctx: Context, token: string): Promise<Unsubscription> {
  const link = await readUnsubscribe(ctx, token);
  if (!link) return { state: "invalid", message: INVALID_UNSUBSCRIBE };
  const [[row], all] = await ctx.db.batch([
    ctx.db
      .select({
        email: subscribers.email,
        status: subscribers.status,
        pausedUntil: subscribers.pausedUntil,
        topicIds: subscribers.topicIds,
        letterTopic: topicOfLetter(link.letterId),
      })
      .from(subscribers)
      .where(eq(subscribers.id, link.subscriberId)),
    selectTopics(ctx),
  ]);
  if (!row) return { state: "gone" };
  const isActive = row.status === "active";
  const topic = all.find(({ id }) => id === row.letterTopic);
  const getsIt = topic && (row.topicIds === null || row.topicIds.includes(topic.id));
  return {
    state: "ready",
    email: row.email,
    isActive,
    pausedUntil: isActive ? runningPause(ctx, row) : null,
    offer: offerTo(all, row.topicIds),
    topic: getsIt ? { id: topic.id, name: topic.name } : null,
  };
}

/** The subscription with an address, in any state; undefined without one. */
export async function readSubscription({ db }: Context, email: string) {
  const [row] = await db
    .select({
      state: subscribers.state,
      pausedUntil: subscribers.pausedUntil,
      topicIds: subscribers.topicIds,
    })
    .from(subscribers)
    .where(eq(subscribers.email, email));
  return row;
}

/** When a pause ends, in milliseconds UTC; null if none is running. */
export const runningPause = ({ now }: Pick<Context, "now">, { pausedUntil }: { pausedUntil: Date | null }) =>
  pausedUntil !== null && pausedUntil > now ? pausedUntil.getTime() : null;

/** @throws `not_found` while it is switched off */
export async function requireNewsletter(ctx: Context) {
  const site = await readSite(ctx);
  if (!site.features.newsletter) throw new AppError("not_found", "The newsletter is closed for now.");
  return site;
}

/** SQL: the subscriber paused letters until a later day. */
export const isPaused = (now: Date) =>
  and(eq(subscribers.state, "confirmed"), gt(subscribers.pausedUntil, now));

/**
 * SQL: unconfirmed, unsubscribed, bounced or paused. A subscriber who complained of spam is never mailed again. Ending
 * a pause early also needs a confirmation by email, since anyone may enter the address.
 */
export const mayConfirm = (now: Date) =>
  or(inArray(subscribers.state, ["pending", "unsubscribed", "bounced"]), isPaused(now));

export const isPending = ({ subject, stamp }: { subject: string; stamp: string }, now: Date) =>
  and(eq(subscribers.id, subject), eq(subscribers.stamp, stamp), mayConfirm(now));
