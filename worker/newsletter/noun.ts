import { eq, getTableColumns, sql } from "drizzle-orm";
import { noteErased } from "#worker/bin/note-erased.ts";
import { forgetDeliveries } from "#worker/letters/deliveries.ts";
import { subscribersCsv } from "#worker/newsletter/export.ts";
import { rowid } from "#worker/newsletter/owner-queries.ts";
import { subscriberIdOf } from "#worker/newsletter/recipient-queries.ts";
import { leavingEvent } from "#worker/newsletter/subscriber-events.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { noun } from "#worker/nouns/noun.ts";
import { holdingOf, inWriting } from "#worker/people/held.ts";
import { namesIn, topicNames } from "#worker/topics/choices.ts";

const isAbout = (email: string) => eq(subscribers.email, email);

/** A person's subscription, at most one, in any state. */
const heldSubscription = holdingOf({
  table: subscribers,
  key: rowid,
  isAbout,
  select({ db }) {
    const { stamp: _stamp, status: _status, topicIds: _topicIds, ...columns } = getTableColumns(subscribers);
    return db.select({ key: rowid, ...columns, topics: topicNames }).from(subscribers);
  },
  toHeld: ({ key, id, topics, ...row }) => ({
    key,
    id,
    at: row.subscribedAt.getTime(),
    title: String(row.state),
    data: inWriting({ ...row, topics: namesIn(topics)?.join("; ") ?? "every letter" }),
  }),
});

export const subscriberNoun = noun({
  table: subscribers,
  exported: (ctx) => [{ path: "subscribers.csv", text: subscribersCsv(ctx) }],
  held: { subscription: heldSubscription },
  /** In any state. Sent letters stay counted, anonymously. */
  forget: (ctx, email) => ({
    statements: [
      leavingEvent(ctx, isAbout(email), "deleted", { isForgotten: true }),
      forgetDeliveries(ctx, subscriberIdOf(email)),
      noteErased(
        ctx,
        "subscribers",
        sql`select ${subscribers.id} as item from ${subscribers} where ${isAbout(email)}`,
      ),
      ctx.db.delete(subscribers).where(isAbout(email)),
    ],
  }),
  eraseAgain: (ctx, which) => [
    forgetDeliveries(ctx, sql`select ${subscribers.id} from ${subscribers} where ${which}`),
    ctx.db.delete(subscribers).where(which),
  ],
});
