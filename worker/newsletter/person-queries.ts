import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { forgetDeliveries } from "#worker/letters/person-queries.ts";
import { rowid } from "#worker/newsletter/owner-queries.ts";
import { subscriberIdOf } from "#worker/newsletter/recipient-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { inWriting, type Holding } from "#worker/people/held.ts";

/** A person's subscription, at most one, in any state. */
export const heldSubscription: Holding = {
  count: (email) => sql<number>`(select count(*) from ${subscribers} where ${subscribers.email} = ${email})`,
  async read({ db }, email, { before, limit }) {
    const { stamp: _stamp, status: _status, ...columns } = getTableColumns(subscribers);
    const rows = await db
      .select({ key: rowid, ...columns })
      .from(subscribers)
      .where(and(eq(subscribers.email, email), before === null ? undefined : lt(rowid, before)))
      .orderBy(desc(rowid))
      .limit(limit);
    return rows.map(({ key, id, ...row }) => ({
      key,
      id,
      at: row.subscribedAt.getTime(),
      title: String(row.state),
      data: inWriting(row),
    }));
  },
};

/** The statements that delete a subscription, in any state. Sent letters stay counted, anonymously. */
export const forgetSubscription = ({ db }: Pick<Context, "db">, email: string) =>
  [
    forgetDeliveries({ db }, subscriberIdOf(email)),
    db.delete(subscribers).where(eq(subscribers.email, email)),
  ] as const;
