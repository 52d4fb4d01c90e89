import { sql, type Column } from "drizzle-orm";
import type { z } from "zod";
import type { SubscribeInput } from "#worker/newsletter/contract.ts";
import { mayConfirm, type Subscriber } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { causedMailId, composeMail, mailRow, type NewMail } from "#worker/mail/message.ts";
import { enqueue, readOutboxRow, type Deliver } from "#worker/platform/work/outbox.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { signUnsubscribes } from "#worker/newsletter/unsubscribe-tokens.ts";
import { signLinks } from "#worker/platform/http/signed.ts";
import { readSender, readSite } from "#worker/settings/queries.ts";

/** Seconds. */
const DAY = 86_400;
const VERIFY_LASTS = 7 * DAY;

export const NEWSLETTER_TOPIC = "newsletter-request";

/** `consent`: the text beside the form when it was sent. */
export type Request = z.output<typeof SubscribeInput> & { consent: string };

/**
 * Stores the request and sends the confirmation link. A confirmed subscriber keeps the earlier consent and gets no
 * email; a complainant gets none either. A pending one gets the same link again.
 */
export const answerNewsletterRequest: Deliver = async (ctx, payload, { id: cause, createdAt }) => {
  if (await readOutboxRow(ctx, causedMailId(cause))) return;
  const { features } = await readSite(ctx);
  if (!features.newsletter) return;
  const [subscriber] = await requestRow(ctx, payload as Request, { subscribedAt: createdAt });
  if (!subscriber) return;
  const { id, statement } = mailRow(ctx, await confirmationWords(ctx, subscriber), cause);
  await statement;
  enqueue(ctx, id);
};

type RequestRow = { subscribedAt: Date; id?: string; stamp?: string };

/**
 * The statement that writes and returns the pending subscriber; no row if no confirmation is due. It replaces an
 * unconfirmed consent. `id` and `stamp` are those of a new subscriber.
 */
export const requestRow = (
  { db, now }: Context,
  { email, source, consent }: Request,
  { subscribedAt, id = crypto.randomUUID(), stamp = randomToken() }: RequestRow,
) =>
  db
    .insert(subscribers)
    .values({ id, email, stamp, status: "active", source, consent, subscribedAt })
    .onConflictDoUpdate({
      target: subscribers.email,
      set: {
        source: unlessConfirmed(subscribers.source),
        consent: unlessConfirmed(subscribers.consent),
        subscribedAt: unlessConfirmed(subscribers.subscribedAt),
      },
      setWhere: mayConfirm(now),
    })
    .returning({ id: subscribers.id, email: subscribers.email, stamp: subscribers.stamp });

/** SQL: the new value of a column; for a confirmed, paused subscriber the stored value. */
const unlessConfirmed = (column: Column) =>
  sql`iif(${subscribers.state} = 'confirmed', ${column}, excluded.${sql.identifier(column.name)})`;

/** The email that asks a pending subscriber to confirm. */
export const confirmationMail = async (ctx: Context, subscriber: Subscriber) =>
  composeMail(ctx, await confirmationWords(ctx, subscriber));

async function confirmationWords(ctx: Context, subscriber: Subscriber): Promise<NewMail> {
  const { siteName, sender } = await readSender(ctx);
  const [tokens] = await confirmationTokens(ctx, [subscriber]);
  return {
    ...sender,
    to: subscriber.email,
    subject: `Confirm your subscription to ${siteName}`,
    parts: [
      `We got a request to send letters from ${siteName} to this address.`,
      "If that was you, confirm it. The link works once, for 7 days.",
      { label: "Confirm subscription", href: confirmUrl(ctx, tokens!.confirm) },
      "If it wasn’t you, you can ignore this email. You won’t get any letters.",
    ],
    // No promise to never ask again: anyone may enter this address again.
    footer: unsubscribeFooter(unsubscribeUrl(ctx, tokens!.unsubscribe)),
  };
}

export const unsubscribeFooter = (href: string) => ({
  text: "To stop the letters at any time:",
  label: "Unsubscribe",
  href,
});

/** The tokens of the links in confirmation emails, in the order of their subscribers. */
export async function confirmationTokens(ctx: Context, asked: Subscriber[]) {
  const claims = asked.map(({ id, stamp }) => ({ purpose: "verify-subscriber", subject: id, stamp }));
  const [confirm, unsubscribe] = await Promise.all([
    signLinks(ctx, claims, VERIFY_LASTS),
    signUnsubscribes(
      ctx,
      asked.map(({ id }) => id),
    ),
  ]);
  return asked.map((_, index) => ({ confirm: confirm[index]!, unsubscribe: unsubscribe[index]! }));
}

export const confirmUrl = ({ config }: Context, token: string) =>
  `${config.siteUrl}/verify-email?token=${token}`;
export const unsubscribeUrl = ({ config }: Context, token: string) =>
  `${config.siteUrl}/unsubscribe?token=${token}`;
