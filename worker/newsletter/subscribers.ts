import { and, eq, inArray, isNull, or } from "drizzle-orm";
import {
  CONSENT,
  INVALID_UNSUBSCRIBE,
  MISSING_LINK,
  UnsubscribeInput,
  VERIFICATION_FAILED,
  VerifyInput,
  type LinkState,
  type NewsletterOffer,
} from "#worker/newsletter/contract.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { randomToken } from "#worker/platform/random.ts";
import { readLink, signLink } from "#worker/platform/signed.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/settings.ts";

/** Seconds. Letters are kept for years, and the link of each must work. */
const UNSUBSCRIBE_LASTS = 5 * 365 * 86_400;

export type Subscriber = Pick<typeof subscribers.$inferSelect, "id" | "email" | "stamp">;

export const offerNewsletter = ({ features }: Pick<Site, "features">): NewsletterOffer =>
  features.newsletter ? { consent: CONSENT } : null;

/**
 * What the page shows before its button is pressed. Changes nothing: mail scanners open every link.
 * @throws `not_found` while the newsletter is switched off
 */
export async function readVerification(ctx: Context, token: string): Promise<LinkState> {
  await requireNewsletter(ctx);
  if (!token) return { state: "invalid", message: MISSING_LINK };
  const link = await readLink(ctx, "verify-subscriber", token);
  const [pending] = link.ok
    ? await ctx.db.select({ email: subscribers.email }).from(subscribers).where(isPending(link))
    : [];
  return pending ? { state: "ready", ...pending } : { state: "invalid", message: VERIFICATION_FAILED };
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
 * Unsubscribes the address, also while the newsletter is switched off or the subscription is pending. Mail providers ask
 * more than once: an address that is unsubscribed or unknown is no error.
 * @throws `invalid`, also for a link that is not valid
 */
export async function unsubscribe(ctx: Context, input: UnsubscribeInput) {
  const { token } = parseInput(UnsubscribeInput, input);
  const link = await readLink(ctx, "unsubscribe", token);
  if (!link.ok) throw new AppError("invalid", INVALID_UNSUBSCRIBE, { field: "token" });
  await ctx.db
    .update(subscribers)
    .set({ status: "unsubscribed", unsubscribedAt: ctx.now, stamp: randomToken() })
    .where(and(eq(subscribers.id, link.subject), eq(subscribers.status, "active")));
}

/** The token of the unsubscribe page and of the one-click header. */
export function signUnsubscribe(ctx: Context, { id }: Pick<Subscriber, "id">) {
  // Works more than once, so it carries no stamp.
  return signLink(ctx, { purpose: "unsubscribe", subject: id, stamp: "" }, UNSUBSCRIBE_LASTS);
}

/** @throws `not_found` while it is switched off */
export async function requireNewsletter(ctx: Context) {
  const site = await readSite(ctx);
  if (!site.features.newsletter) throw new AppError("not_found", "There is no newsletter at the moment.");
  return site;
}

/** SQL: not confirmed, unsubscribed or bounced. Whoever complained of spam is never mailed again. */
export const mayConfirm = or(
  and(eq(subscribers.status, "active"), isNull(subscribers.verifiedAt)),
  inArray(subscribers.status, ["unsubscribed", "bounced"]),
);

const isPending = ({ subject, stamp }: { subject: string; stamp: string }) =>
  and(eq(subscribers.id, subject), eq(subscribers.stamp, stamp), mayConfirm);
