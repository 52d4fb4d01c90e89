import { eventRow } from "#worker/accounts/events.ts";
import type { Context } from "#worker/platform/context.ts";
import { countWithinLimits } from "#worker/platform/rate.ts";

/** Of one person. More of them would tell nothing more, and fill the log. */
const EVENTS_AN_HOUR = 20;

/** Writes to the audit log what was refused to whoever is signed in: `route` names no ids and no secrets. */
export async function noteRefusal(ctx: Context, route: string) {
  const { actor } = ctx;
  if (actor.kind !== "user") return;
  const limit = { subject: `access-refused:${actor.id}`, most: EVENTS_AN_HOUR };
  if (!(await countWithinLimits(ctx, [limit]))) return;
  await eventRow(ctx, { kind: "access_refused", email: actor.email, detail: route });
}
