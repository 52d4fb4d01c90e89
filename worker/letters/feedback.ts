import { and, eq, isNull, sql } from "drizzle-orm";
import { deliveries, letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

type Feedback = NonNullable<(typeof deliveries.$inferSelect)["feedback"]>;

/**
 * The statements, for one batch, that note what came back of a letter and count it. The first of a delivery stays, and
 * nothing counts twice.
 */
export function recordFeedback(
  { db }: Context,
  { letterId, subscriberId, feedback }: { letterId: number; subscriberId: string; feedback: Feedback },
) {
  const isFirst = and(
    eq(deliveries.subscriberId, subscriberId),
    eq(deliveries.letterId, letterId),
    isNull(deliveries.feedback),
  );
  const first = db.select({ id: deliveries.id }).from(deliveries).where(isFirst);
  const count = db
    .update(letters)
    .set({ [feedback]: sql`${letters[feedback]} + 1` })
    .where(and(eq(letters.id, letterId), sql`exists ${first}`));
  // Behind the count, which asks whether it is the first.
  const note = db.update(deliveries).set({ feedback }).where(isFirst);
  return [count, note] as const;
}

/** The letter that the provider knows by this name, and whom it went to; undefined where there is none. */
export async function findDelivery({ db }: Context, providerId: string) {
  const [delivery] = await db
    .select({ letterId: deliveries.letterId, subscriberId: deliveries.subscriberId })
    .from(deliveries)
    .where(eq(deliveries.providerId, providerId))
    .limit(1);
  return delivery;
}
