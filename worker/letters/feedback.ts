import { and, desc, eq, exists, isNull, sql, type SQL } from "drizzle-orm";
import { subscriberIdOf } from "#worker/newsletter/recipient-queries.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

type Feedback = {
  letterId: number;
  subscriberId: string;
  feedback: "bounced" | "complained" | "unsubscribed";
};

/**
 * The statements that record a delivery's feedback and count it once: the first feedback stays. For a batch; with
 * `provided` they do nothing unless it holds.
 */
export function recordFeedback(
  { db }: Pick<Context, "db">,
  { letterId, subscriberId, feedback }: Feedback,
  provided: SQL = sql`true`,
) {
  const isFirst = and(
    eq(deliveries.subscriberId, subscriberId),
    eq(deliveries.letterId, letterId),
    isNull(deliveries.feedback),
    provided,
  );
  const first = db.select({ id: deliveries.id }).from(deliveries).where(isFirst);
  const count = db
    .update(letters)
    .set({ [feedback]: sql`${letters[feedback]} + 1` })
    .where(and(eq(letters.id, letterId), exists(first)));
  const note = db.update(deliveries).set({ feedback }).where(isFirst);
  return [count, note] as const;
}

/** The letter and subscriber of a provider's message id; undefined if there is none. */
export async function findDelivery({ db }: Context, providerId: string) {
  const [delivery] = await db
    .select({ letterId: deliveries.letterId, subscriberId: deliveries.subscriberId })
    .from(deliveries)
    .where(eq(deliveries.providerId, providerId))
    .limit(1);
  return delivery;
}

/**
 * The letter that is being submitted for an address: a provider's report may arrive before its message id is stored.
 * Undefined if there is none.
 */
export async function findSending({ db }: Context, email: string) {
  const [delivery] = await db
    .select({ letterId: deliveries.letterId, subscriberId: deliveries.subscriberId })
    .from(deliveries)
    .where(
      and(
        sql`${deliveries.subscriberId} = ${subscriberIdOf(email)}`,
        eq(deliveries.status, "sending"),
        isNull(deliveries.providerId),
      ),
    )
    .orderBy(desc(deliveries.letterId))
    .limit(1);
  return delivery;
}
