import { and, eq, gt, ne, sql } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import { unsubscribed } from "#worker/newsletter/unsubscribed.ts";
import type { Context } from "#worker/platform/context.ts";

/** The subscriber whose letters bounced. */
export type Bounced = { id: string } | { email: string };

/** Bounced letters in a row; the last blocks the address. */
const MOST_SOFT_BOUNCES = 3;
/** Stored characters of a server's answer. */
const MOST_WORDS = 300;

/**
 * The statement that blocks an address: it gets no more letters. After a bounce the subscriber may sign up again; after
 * a spam complaint they never get another mail. An unsubscribed subscriber stays unsubscribed unless they complain.
 */
export function blockSubscriber(
  { db, now }: Context,
  who: Bounced,
  { status, reason }: { status: "bounced" | "complained"; reason: string },
) {
  const mayBe =
    status === "bounced" ? eq(subscribers.status, "active") : ne(subscribers.status, "complained");
  return db
    .update(subscribers)
    .set({ status, blockedAt: now, blockedReason: reason.slice(0, MOST_WORDS), softBounces: 0 })
    .where(and(isThe(who), mayBe));
}

/** Blocks addresses that a mail server rejected as unknown, each with its reason, in one statement. */
export function blockBadAddresses({ db, now }: Context, refused: { id: string; reason: string }[]) {
  const rows = sql`json_each(${JSON.stringify(refused)})`;
  const isThere = sql`${subscribers.id} in (select value ->> 'id' from ${rows})`;
  return db
    .update(subscribers)
    .set({
      status: "bounced",
      blockedAt: now,
      blockedReason: sql`(select substr(value ->> 'reason', 1, ${MOST_WORDS}) from ${rows} where value ->> 'id' = ${subscribers.id})`,
      softBounces: 0,
    })
    .where(and(isThere, eq(subscribers.status, "active")));
}

/**
 * The statement for a complaint that came by email. It proves only that its author has the letter, which may have been forwarded:
 * so the subscriber gets no more letters, and may sign up again.
 */
export const unsubscribeAfterComplaint = ({ db, now }: Context, id: string) =>
  db
    .update(subscribers)
    .set(unsubscribed({ now }))
    .where(and(eq(subscribers.id, id), eq(subscribers.status, "active")));

/** The statement that counts a soft bounce; the third in a row blocks the address. */
export function countSoftBounce({ db, now }: Context, who: Bounced, reason: string) {
  const isLast = sql`${subscribers.softBounces} + 1 >= ${MOST_SOFT_BOUNCES}`;
  const words = `Three letters in a row bounced. ${reason}`.trim().slice(0, MOST_WORDS);
  return db
    .update(subscribers)
    .set({
      status: sql`case when ${isLast} then 'bounced' else ${subscribers.status} end`,
      blockedAt: sql`case when ${isLast} then ${now.getTime()} else ${subscribers.blockedAt} end`,
      blockedReason: sql`case when ${isLast} then ${words} else ${subscribers.blockedReason} end`,
      // Reset, in case the subscriber signs up again.
      softBounces: sql`case when ${isLast} then 0 else ${subscribers.softBounces} + 1 end`,
    })
    .where(and(isThe(who), eq(subscribers.status, "active")));
}

/** The statement for a letter that arrived. */
export const clearSoftBounces = ({ db }: Context, who: Bounced) =>
  db
    .update(subscribers)
    .set({ softBounces: 0 })
    .where(and(isThe(who), gt(subscribers.softBounces, 0)));

const isThe = (who: Bounced) =>
  "id" in who ? eq(subscribers.id, who.id) : eq(subscribers.email, who.email.toLowerCase());
