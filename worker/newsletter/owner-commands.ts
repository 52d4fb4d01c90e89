import { and, eq, exists, sql } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { forgetMembersAt } from "#worker/members/forget-members.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { readAddress } from "#worker/newsletter/addresses.ts";
import { confirmationMail } from "#worker/newsletter/confirmation.ts";
import { enteredConsent } from "#worker/newsletter/consent.ts";
import {
  NewSubscriber,
  SubscriberChange,
  type SubscriberState,
  type SubscriberSummary,
} from "#worker/newsletter/contract.ts";
import { forgetSubscribers } from "#worker/newsletter/forget-subscribers.ts";
import { noSuchSubscriber, summaryColumns, toSummary } from "#worker/newsletter/owner-queries.ts";
import type { Subscriber } from "#worker/newsletter/queries.ts";
import { leavingEvent, subscriberEvent } from "#worker/newsletter/subscriber-events.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { unsubscribed } from "#worker/newsletter/unsubscribed.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue, outboxRowIf } from "#worker/platform/work/outbox.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Adds a subscriber by hand: as confirmed, or as pending with an email that asks them to confirm.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` for an address that already exists, in any state
 */
export async function createSubscriber(ctx: Context, input: NewSubscriber): Promise<SubscriberSummary> {
  requireCapability("audience", ctx);
  const { email: typed, source, consent, ask } = parseInput(NewSubscriber, input);
  const address = readAddress(typed);
  if ("why" in address) throw new AppError("invalid", address.why, { field: "email" });
  const { email } = address;
  const subscriber = {
    id: crypto.randomUUID(),
    email,
    status: "active" as const,
    source,
    consent: enteredConsent(ctx, await readSite(ctx), consent),
    subscribedAt: ctx.now,
    verifiedAt: ask ? null : ctx.now,
    stamp: randomToken(),
  };
  const insert = ctx.db
    .insert(subscribers)
    .values(subscriber)
    .onConflictDoNothing()
    .returning(summaryColumns);
  const mail = ask ? await confirmationRow(ctx, subscriber) : null;
  const then = mail
    ? mail.statement
    : subscriberEvent(ctx, "subscriber.confirmed", sql`${subscribers.id} = ${subscriber.id}`);
  const [[created]] = await ctx.db.batch([insert, then]);
  if (!created) throw await takenAddress(ctx, email);
  if (mail) enqueue(ctx, mail.id);
  return toSummary(ctx, created);
}

/** The outbox row of the email, to put after the subscriber in its batch: written only if the subscriber was. */
async function confirmationRow(ctx: Context, subscriber: Subscriber) {
  const written = ctx.db
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(eq(subscribers.id, subscriber.id));
  return outboxRowIf(ctx, MAIL_TOPIC, await confirmationMail(ctx, subscriber), exists(written));
}

async function takenAddress({ db }: Context, email: string) {
  const [row] = await db
    .select({ state: summaryColumns.state })
    .from(subscribers)
    .where(eq(subscribers.email, email));
  const message = row ? TAKEN[row.state] : "Please try again.";
  return new AppError("conflict", message, { field: "email" });
}

const TAKEN: Record<SubscriberState, string> = {
  confirmed: "This address is already subscribed.",
  pending: "This address is already here, and isn’t confirmed yet.",
  unsubscribed:
    "This address unsubscribed. Only its owner can subscribe it again, with the form on the site.",
  bounced: "Letters to this address bounced. Its owner can subscribe it again, with the form on the site.",
  complained: "This address marked a letter as spam. It gets no more letters.",
};

/**
 * Unsubscribes a person at their request. An already inactive subscriber is unchanged.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`
 */
export async function updateSubscriber(
  ctx: Context,
  id: string,
  input: SubscriberChange,
): Promise<SubscriberSummary> {
  requireCapability("audience", ctx);
  parseInput(SubscriberChange, input);
  const update = ctx.db
    .update(subscribers)
    .set(unsubscribed(ctx))
    .where(and(eq(subscribers.id, id), eq(subscribers.status, "active")));
  const read = ctx.db.select(summaryColumns).from(subscribers).where(eq(subscribers.id, id));
  const left = leavingEvent(ctx, sql`${subscribers.id} = ${id}`, "unsubscribed");
  const [, , [row]] = await ctx.db.batch([left, update, read]);
  if (!row) throw noSuchSubscriber();
  return toSummary(ctx, row);
}

/**
 * Deletes a subscriber for good, with their membership.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`
 */
export async function deleteSubscriber(ctx: Context, id: string) {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  const isIt = sql`${subscribers.id} = ${id}`;
  const addresses = sql`select ${subscribers.email} from ${subscribers} where ${isIt}`;
  const [, , , , , , , [deleted]] = await ctx.db.batch([
    ...forgetMembersAt(ctx, addresses),
    ...forgetSubscribers(ctx, isIt),
  ]);
  if (!deleted) throw noSuchSubscriber();
}
