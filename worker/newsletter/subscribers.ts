import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import {
  CONSENT,
  INVALID_UNSUBSCRIBE,
  MISSING_LINK,
  VERIFICATION_FAILED,
  type LinkState,
  type NewsletterOffer,
  type SubscribeInput,
} from "#worker/newsletter/contract.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { mailRow } from "#worker/platform/mail.ts";
import { wake } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";
import { enforceLimits, perAddress } from "#worker/platform/rate.ts";
import { readLink, signLink } from "#worker/platform/signed.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/settings.ts";

const DAY = 86_400;
/** Seconds. */
const VERIFY_LASTS = 7 * DAY;
/** Seconds. Letters are kept for years, and leaving must work from each of them. */
const UNSUBSCRIBE_LASTS = 5 * 365 * DAY;
/** To one mailbox. */
const MAILS_AN_HOUR = 3;
/** That one address may ask for, which may be a whole office. */
const REQUESTS_AN_HOUR = 30;

type Subscriber = Pick<typeof subscribers.$inferSelect, "id" | "email" | "stamp">;

export const offerNewsletter = ({ features }: Pick<Site, "features">): NewsletterOffer =>
  features.newsletter ? { consent: CONSENT } : null;

/**
 * Keeps the wish and sends the link that confirms it. New, waiting, confirmed or gone: the caller is told the same, and
 * in each case one write is made, so that nobody learns who subscribes. Somebody who waits gets the same link again.
 */
export async function subscribe(ctx: Context, { email, source }: SubscribeInput) {
  const { name } = await requireNewsletter(ctx);
  // Whoever asks, and wherever from: nobody's mailbox is to be flooded.
  await enforceLimits(ctx, [
    ...perAddress(ctx, "subscribe", REQUESTS_AN_HOUR),
    { subject: `newsletter-mail:${email}`, most: MAILS_AN_HOUR },
  ]);
  const known = await findSubscriber(ctx, email);
  const subscriber = { id: known?.id ?? crypto.randomUUID(), email, stamp: known?.stamp ?? randomToken() };
  const mail = await confirmationMail(ctx, subscriber, name);
  const request = writeRequest(ctx, subscriber, source);
  if (known && !known.mayConfirm) return void (await request);
  await ctx.db.batch([request, mail.statement]);
  wake(ctx, mail.id);
}

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

async function requireNewsletter(ctx: Context) {
  const site = await readSite(ctx);
  if (!site.features.newsletter) throw new AppError("not_found", "There is no newsletter at the moment.");
  return site;
}

/** Not confirmed, or gone since. Who complained of spam is never written to again. */
const mayConfirm = or(
  and(eq(subscribers.status, "active"), isNull(subscribers.verifiedAt)),
  inArray(subscribers.status, ["unsubscribed", "bounced"]),
);

const isWaiting = ({ subject, stamp }: { subject: string; stamp: string }) =>
  and(eq(subscribers.id, subject), eq(subscribers.stamp, stamp), mayConfirm);

async function findSubscriber({ db }: Context, email: string) {
  const [known] = await db
    .select({
      id: subscribers.id,
      stamp: subscribers.stamp,
      mayConfirm: sql`(${mayConfirm})`.mapWith(Boolean),
    })
    .from(subscribers)
    .where(eq(subscribers.email, email));
  return known;
}

/** A consent that is not confirmed yet is replaced by the latest; a confirmed one stands. */
function writeRequest({ db, now }: Context, subscriber: Subscriber, source: string) {
  const request = { source, consent: CONSENT, subscribedAt: now };
  return db
    .insert(subscribers)
    .values({ ...subscriber, ...request, status: "active" })
    .onConflictDoUpdate({ target: subscribers.email, set: request, setWhere: mayConfirm });
}

async function confirmationMail(ctx: Context, { id, email, stamp }: Subscriber, siteName: string) {
  const claims = { purpose: "verify-subscriber", subject: id, stamp } as const;
  const token = await signLink(ctx, claims, VERIFY_LASTS);
  const { siteUrl } = ctx.config;
  return mailRow(ctx, {
    to: email,
    subject: `Confirm your subscription to ${siteName}`,
    parts: [
      `Somebody asked for the letters of ${siteName} to be sent to this address.`,
      "If it was you, confirm it. The link works once, for 7 days.",
      { label: "Confirm subscription", href: `${siteUrl}/verify-email?token=${token}` },
      "If it was not you, do nothing: without the link no letter is sent.",
    ],
    footer: {
      // Whoever left may ask again, and so may anybody else: not to be asked again is no promise to make here.
      text: "To stop the letters, now or at any later time:",
      label: "Unsubscribe",
      href: `${siteUrl}/unsubscribe?token=${await signUnsubscribe(ctx, { id })}`,
    },
  });
}
