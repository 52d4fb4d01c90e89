import { sql, type SQL } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { LeavingReason } from "#worker/webhooks/contract.ts";
import { forgetEvents } from "#worker/webhooks/forget.ts";
import { eventRows } from "#worker/webhooks/record-event.ts";

const aboutThem = {
  item: sql`${subscribers.id}`,
  email: sql`${subscribers.email}`,
};
const data = { id: sql`${subscribers.id}`, email: sql`${subscribers.email}` };

/** The statement that informs webhooks of subscribers who have confirmed. */
export const subscriberEvent = (ctx: Context, type: "subscriber.confirmed", which: SQL) =>
  eventRows(ctx, type, { from: sql`from ${subscribers} where ${which}`, ...aboutThem, data });

/** The statement that informs webhooks of confirmed subscribers who leave. It runs before they do. */
export const leavingEvent = (
  ctx: Context,
  which: SQL,
  reason: LeavingReason,
  { isForgotten = false }: { isForgotten?: boolean } = {},
) =>
  eventRows(ctx, "subscriber.left", {
    from: sql`from ${subscribers} where ${which} and ${subscribers.state} = 'confirmed'`,
    ...aboutThem,
    data: { ...data, reason },
    isForgotten,
  });

/** The statement that informs webhooks of a complaint, before it blocks the address. */
export const complaintEvent = (ctx: Context, who: { id: string } | { email: string }) =>
  leavingEvent(
    ctx,
    "id" in who ? sql`${subscribers.id} = ${who.id}` : sql`${subscribers.email} = ${who.email.toLowerCase()}`,
    "complained",
  );

/** The statements for subscribers whose data is deleted: receivers are informed, and former events about them deleted. */
export const forgetSubscriberEvents = (ctx: Context, which: SQL) =>
  [
    ...forgetEvents(ctx, sql`(select ${subscribers.email} from ${subscribers} where ${which})`),
    leavingEvent(ctx, which, "deleted", { isForgotten: true }),
  ] as const;
