import { and, eq, inArray, isNull, or } from "drizzle-orm";
import {
  CONSENT,
  INVALID_UNSUBSCRIBE,
  MISSING_LINK,
  VERIFICATION_FAILED,
  type LinkState,
  type NewsletterOffer,
} from "#worker/newsletter/contract.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { randomToken } from "#worker/platform/random.ts";
import { readLink, signLink } from "#worker/platform/signed.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/settings.ts";

const DAY = 86_400;
/** Seconds. Letters are kept for years, and leaving must work from each of them. */
const UNSUBSCRIBE_LASTS = 5 * 365 * DAY;

export type Subscriber = Pick<typeof subscribers.$inferSelect, "id" | "email" | "stamp">;

export const offerNewsletter = ({ features }: Pick<Site, "features">): NewsletterOffer =>
  features.newsletter ? { consent: CONSENT } : null;

/** What the page shows before its button is pressed. Reading changes nothing: mail scanners open every link. */
export async function readVerification(ctx: Context, token: string): Promise<LinkState> {
  await requireNewsletter(ctx);
  if (!token) return { state: "invalid", message: MISSING_LINK };
  const link = await readLink(ctx, "verify-subscriber", token);
  const [waiting] = link.ok
    ? await ctx.db.select({ email: subscribers.email }).from(subscribers).where(isWaiting(link))
    : [];
  return waiting ? { state: "ready", ...waiting } : { state: "invalid", message: VERIFICATION_FAILED };
}

/** Confirms the subscription. The new stamp makes this link, and every other one for it, work no second time. */
export async function verifySubscriber(ctx: Context, { token }: { token: string }) {
  await requireNewsletter(ctx);
  const link = await readLink(ctx, "verify-subscriber", token);
  const [confirmed] = link.ok
    ? await ctx.db
        .update(subscribers)
        .set({ status: "active", verifiedAt: ctx.now, unsubscribedAt: null, stamp: randomToken() })
        .where(isWaiting(link))
        .returning({ email: subscribers.email })
    : [];
  if (!confirmed) throw new AppError("invalid", VERIFICATION_FAILED, { field: "token" });
  return confirmed;
}

export async function readUnsubscription(ctx: Context, token: string): Promise<LinkState> {
  const link = await readLink(ctx, "unsubscribe", token);
  const [subscriber] = link.ok
    ? await ctx.db
        .select({ email: subscribers.email })
        .from(subscribers)
        .where(eq(subscribers.id, link.subject))
    : [];
  return subscriber ? { state: "ready", ...subscriber } : { state: "invalid", message: INVALID_UNSUBSCRIBE };
}

/**
 * Takes the address off, also while the newsletter is switched off, and one that waits for its link too. Mail providers
 * ask more than once: who is gone already, or never was there, is no error.
 */
export async function unsubscribe(ctx: Context, { token }: { token: string }) {
  const link = await readLink(ctx, "unsubscribe", token);
  if (!link.ok) throw new AppError("invalid", INVALID_UNSUBSCRIBE, { field: "token" });
  await ctx.db
    .update(subscribers)
    .set({ status: "unsubscribed", unsubscribedAt: ctx.now, stamp: randomToken() })
    .where(and(eq(subscribers.id, link.subject), eq(subscribers.status, "active")));
}

/** The token of the page where a subscriber leaves, and of the one-click header. */
export function signUnsubscribe(ctx: Context, { id }: Pick<Subscriber, "id">) {
  // It may be used again and again, so no state stamps it.
  return signLink(ctx, { purpose: "unsubscribe", subject: id, stamp: "" }, UNSUBSCRIBE_LASTS);
}

/** @throws `not_found` while it is switched off */
export async function requireNewsletter(ctx: Context) {
  const site = await readSite(ctx);
  if (!site.features.newsletter) throw new AppError("not_found", "There is no newsletter at the moment.");
  return site;
}

/** SQL: not confirmed, or gone since. Who complained of spam is never written to again. */
export const mayConfirm = or(
  and(eq(subscribers.status, "active"), isNull(subscribers.verifiedAt)),
  inArray(subscribers.status, ["unsubscribed", "bounced"]),
);

const isWaiting = ({ subject, stamp }: { subject: string; stamp: string }) =>
  and(eq(subscribers.id, subject), eq(subscribers.stamp, stamp), mayConfirm);
