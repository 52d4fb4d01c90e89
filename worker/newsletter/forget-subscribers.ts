import { eq, sql, type SQL } from "drizzle-orm";
import { noteErased } from "#worker/bin/note-erased.ts";
import { forgetDeliveries } from "#worker/letters/deliveries.ts";
import { forgetSubscriberEvents } from "#worker/newsletter/subscriber-events.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statements that delete subscribers with all data about them; `which` is SQL. Sent letters stay counted, anonymously. */
export const forgetSubscribers = (ctx: Context, which: SQL) =>
  [
    ...forgetSubscriberEvents(ctx, which),
    forgetDeliveries(ctx, sql`select ${subscribers.id} from ${subscribers} where ${which}`),
    noteErased(ctx, "subscribers", sql`select ${subscribers.id} as item from ${subscribers} where ${which}`),
    ctx.db.delete(subscribers).where(which).returning({ id: subscribers.id }),
  ] as const;

/** The same for the subscriber with an address. */
export const forgetSubscribersAt = (ctx: Context, email: string) =>
  forgetSubscribers(ctx, eq(subscribers.email, email));
