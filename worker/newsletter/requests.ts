import { and, inArray, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { CONSENT, SubscribeInput } from "#worker/newsletter/contract.ts";
import {
  mayConfirm,
  requireNewsletter,
  signUnsubscribe,
  type Subscriber,
} from "#worker/newsletter/subscribers.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { mailRow } from "#worker/platform/mail.ts";
import { parseInput } from "#worker/platform/input.ts";
import { outboxRow, wake, type Deliver } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";
import { enforceLimits, perAddress } from "#worker/platform/rate.ts";
import { signLink } from "#worker/platform/signed.ts";
import { readSite } from "#worker/settings/settings.ts";

/** Seconds. */
const DAY = 86_400;
const VERIFY_LASTS = 7 * DAY;
/** After the latest request. */
const UNCONFIRMED_KEPT = 30 * DAY;
const PRUNED_A_RUN = 2000;
/** To one mailbox. */
const MAILS_AN_HOUR = 3;
/** That one address may ask for, which may be a whole office. */
const REQUESTS_AN_HOUR = 30;

export const NEWSLETTER_TOPIC = "newsletter-request";
/** `consent`: the text beside the form when it was sent. */
type Request = z.output<typeof SubscribeInput> & { consent: string };

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
  wake(ctx, id);
}

/**
 * Stores the request and sends the confirmation link. A confirmed subscriber keeps the consent given and gets no mail,
 * nor does one who complained of spam. A pending one gets the same link again.
 */
export const answerNewsletterRequest: Deliver = async (ctx, payload, { createdAt }) => {
  const { name, features } = await readSite(ctx);
  if (!features.newsletter) return;
  const subscriber = await writeRequest(ctx, payload as Request, createdAt);
  if (!subscriber) return;
  const mail = await confirmationMail(ctx, subscriber, name);
  await mail.statement;
  wake(ctx, mail.id);
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

/** Deletes subscribers who never confirmed. Those who unsubscribed stay, so that nothing is sent to them. */
export async function pruneUnconfirmed({ db, now }: Context) {
  const past = new Date(now.getTime() - UNCONFIRMED_KEPT * 1000);
  // Literal SQL, as in the partial index: with parameters SQLite would not use it.
  const isUnconfirmed = sql`${subscribers.verifiedAt} is null and ${subscribers.status} = 'active'`;
  const old = db
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(isUnconfirmed, lt(subscribers.subscribedAt, past)))
    .limit(PRUNED_A_RUN);
  await db.delete(subscribers).where(inArray(subscribers.id, old));
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
      // No promise of never being asked again: anybody may enter this address again.
      text: "To stop the letters, now or at any later time:",
      label: "Unsubscribe",
      href: `${siteUrl}/unsubscribe?token=${await signUnsubscribe(ctx, { id })}`,
    },
  });
}
