import { and, eq, gt, ne, sql } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Whose letters came back. */
export type Bounced = { id: string } | { email: string };

/** Letters in a row; the last of them takes the address off. */
const MOST_SOFT_BOUNCES = 3;
/** Characters that are kept of what a server said. */
const MOST_WORDS = 300;

/**
 * The statement that takes an address off for good: no letter goes there any more. Who bounced may sign up again; who
 * complained of spam never gets another mail, and whoever unsubscribed stays so unless they complained.
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

/** The same for addresses that a mail server does not know, each with its words, in one statement. */
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

/** The statement that counts a letter that came back for a reason that may pass; the third in a row takes the address off. */
export function countSoftBounce({ db, now }: Context, who: Bounced, reason: string) {
  const isLast = sql`${subscribers.softBounces} + 1 >= ${MOST_SOFT_BOUNCES}`;
  const words = `Three letters in a row bounced. ${reason}`.trim().slice(0, MOST_WORDS);
  return db
    .update(subscribers)
    .set({
      status: sql`case when ${isLast} then 'bounced' else ${subscribers.status} end`,
      blockedAt: sql`case when ${isLast} then ${now.getTime()} else ${subscribers.blockedAt} end`,
      blockedReason: sql`case when ${isLast} then ${words} else ${subscribers.blockedReason} end`,
      // From the beginning for who signs up again.
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
