import type { z } from "zod";
import type { SubscribeInput } from "#worker/newsletter/contract.ts";
import { mayConfirm, type Subscriber } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { mailRow } from "#worker/mail/message.ts";
import { enqueue, type Deliver } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-links.ts";
import { signLink } from "#worker/platform/signed.ts";
import { readSender, readSite } from "#worker/settings/queries.ts";

/** Seconds. */
const DAY = 86_400;
const VERIFY_LASTS = 7 * DAY;

export const NEWSLETTER_TOPIC = "newsletter-request";

/** `consent`: the text beside the form when it was sent. */
export type Request = z.output<typeof SubscribeInput> & { consent: string };

/**
 * Stores the request and sends the confirmation link. A confirmed subscriber keeps the consent given and gets no mail,
 * nor does one who complained of spam. A pending one gets the same link again.
 */
export const answerNewsletterRequest: Deliver = async (ctx, payload, { createdAt }) => {
  const { features } = await readSite(ctx);
  if (!features.newsletter) return;
  const subscriber = await writeRequest(ctx, payload as Request, createdAt);
  if (!subscriber) return;
  const mail = await confirmationMail(ctx, subscriber);
  await mail.statement;
  enqueue(ctx, mail.id);
};

/** The pending subscriber; undefined when no confirmation is due. Replaces a consent that is not confirmed yet. */
async function writeRequest({ db }: Context, { email, source, consent }: Request, subscribedAt: Date) {
  const request = { source, consent, subscribedAt };
  const [subscriber] = await db
    .insert(subscribers)
    .values({ id: crypto.randomUUID(), email, stamp: randomToken(), status: "active", ...request })
    .onConflictDoUpdate({ target: subscribers.email, set: request, setWhere: mayConfirm })
    .returning({ id: subscribers.id, email: subscribers.email, stamp: subscribers.stamp });
  return subscriber;
}

async function confirmationMail(ctx: Context, { id, email, stamp }: Subscriber) {
  const { siteName, sender } = await readSender(ctx);
  const claims = { purpose: "verify-subscriber", subject: id, stamp } as const;
  const token = await signLink(ctx, claims, VERIFY_LASTS);
  const { siteUrl } = ctx.config;
  return mailRow(ctx, {
    ...sender,
    to: email,
    subject: `Confirm your subscription to ${siteName}`,
    parts: [
      `Somebody asked for the letters of ${siteName} to be sent to this address.`,
      "If it was you, confirm it. The link works once, for 7 days.",
      { label: "Confirm subscription", href: `${siteUrl}/verify-email?token=${token}` },
      "If it was not you, do nothing: without the link no letter is sent.",
    ],
    footer: {
      // No promise of never being asked again: anybody may enter this address again.
      text: "To stop the letters, now or at any later time:",
      label: "Unsubscribe",
      href: `${siteUrl}/unsubscribe?token=${await signUnsubscribe(ctx, { id })}`,
    },
  });
}
