import { and, desc, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { SecurityEvent, SecurityEventKind } from "#worker/accounts/contract.ts";
import { deviceOf } from "#worker/accounts/devices.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import type { AppError } from "#worker/platform/errors.ts";
import { refusingBroken } from "#worker/platform/publishing.ts";

const PAGE = 50;
const DAY = 86_400_000;
const KEPT = 365 * DAY;
/** What strangers can cause without an account. */
const STRANGERS: SecurityEventKind[] = ["login_failed", "reset_requested"];
const STRANGERS_KEPT = 30 * DAY;

export type NewEvent = { kind: SecurityEventKind; email: string; detail?: string | null };

/**
 * The row of the audit log for the batch of the write that it tells of. `provided`: the batch is refused as a whole if
 * this does not hold, since the row would then lack its kind; see `refusingUnless`.
 */
export function eventRow(
  { db, now, client, actor }: Context,
  { kind, email, detail = null }: NewEvent,
  provided: SQL = sql`true`,
) {
  const by = actor.kind === "user" && actor.email !== email ? actor.email : null;
  return db.insert(securityEvents).values({
    at: now,
    kind: sql`case when ${provided} then ${kind} end`,
    email,
    by,
    ...client,
    detail,
  });
}

/** Does a batch whose event has a condition, and refuses where that does not hold; nothing is written then. */
export const refusingUnless = <T>(refusal: () => AppError, write: () => Promise<T>) =>
  refusingBroken("NOT NULL constraint failed: security_events.kind", refusal, write);

/** The audit log, newest first. `after` is the id of the last event of the page before. */
export async function listSecurityEvents(ctx: Context, { after }: { after?: string } = {}) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select()
    .from(securityEvents)
    .where(after && /^\d{1,15}$/.test(after) ? lt(securityEvents.id, Number(after)) : undefined)
    .orderBy(desc(securityEvents.id))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE);
  return {
    events: page.map(({ id, at, userAgent, ...event }): SecurityEvent => ({
      ...event,
      id: String(id),
      at: at.getTime(),
      device: deviceOf(userAgent),
    })),
    next: rows.length > PAGE ? String(page.at(-1)?.id) : null,
  };
}

export async function pruneEvents({ db, now }: Context) {
  const before = (kept: number) => lt(securityEvents.at, new Date(now.getTime() - kept));
  await db
    .delete(securityEvents)
    .where(or(before(KEPT), and(inArray(securityEvents.kind, STRANGERS), before(STRANGERS_KEPT))));
}
