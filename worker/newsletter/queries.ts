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
import { readUnsubscribe } from "#worker/newsletter/unsubscribe-links.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readLink } from "#worker/platform/signed.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

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

export async function readUnsubscription(ctx: Context, token: string): Promise<LinkState> {
  const link = await readUnsubscribe(ctx, token);
  const [subscriber] = link
    ? await ctx.db
        .select({ email: subscribers.email })
        .from(subscribers)
        .where(eq(subscribers.id, link.subscriberId))
    : [];
  return subscriber ? { state: "ready", ...subscriber } : { state: "invalid", message: INVALID_UNSUBSCRIBE };
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

export const isPending = ({ subject, stamp }: { subject: string; stamp: string }) =>
  and(eq(subscribers.id, subject), eq(subscribers.stamp, stamp), mayConfirm);
