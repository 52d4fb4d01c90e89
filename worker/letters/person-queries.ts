import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { deliveries, letters } from "#worker/letters/table.ts";
import { subscriberIdOf } from "#worker/newsletter/recipient-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";

const isTo = (email: string) => sql`${deliveries.subscriberId} = ${subscriberIdOf(email)}`;

/** The letters sent, or about to be sent, to a person. */
export const heldDeliveries: Holding = {
  count: (email) => sql<number>`(select count(*) from ${deliveries} where ${isTo(email)})`,
  async read({ db }, email, { before, limit }) {
    const rows = await db
      .select({
        key: deliveries.letterId,
        subject: letters.subject,
        status: deliveries.status,
        attempts: deliveries.attempts,
        answer: deliveries.answer,
        providerId: deliveries.providerId,
        feedback: deliveries.feedback,
        settledAt: deliveries.settledAt,
        notBefore: deliveries.notBefore,
      })
      .from(deliveries)
      .innerJoin(letters, eq(letters.id, deliveries.letterId))
      .where(and(isTo(email), before === null ? undefined : lt(deliveries.letterId, before)))
      .orderBy(desc(deliveries.letterId))
      .limit(limit);
    return rows.map(({ key, notBefore, ...row }) => ({
      key,
      id: String(key),
      at: (row.settledAt ?? notBefore).getTime(),
      title: row.subject,
      data: inWriting(row),
    }));
  },
};

/**
 * The statement that anonymises a subscriber's deliveries before the subscriber is deleted: it removes the provider's
 * answer, which may contain the address, and the provider's message id. The outcomes stay, anonymous.
 */
export const forgetDeliveries = ({ db }: Pick<Context, "db">, subscriberId: SQL) =>
  db
    .update(deliveries)
    .set({ answer: null, providerId: null })
    .where(eq(deliveries.subscriberId, subscriberId));
