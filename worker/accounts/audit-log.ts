import { sql, type SQL } from "drizzle-orm";
import type { SecurityEventKind } from "#worker/accounts/contract.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import type { AppError } from "#worker/platform/errors.ts";
import { refusingBroken } from "#worker/platform/data/publishing.ts";

export type NewEvent = { kind: SecurityEventKind; email: string; detail?: string | null };

/**
 * The audit log row for the batch of the write that it records. `provided`: if false, the row's kind is null, which
 * fails the whole batch; see `throwUnless`.
 */
export function eventRow(
  { db, now, client, actor }: Context,
  { kind, email, detail = null }: NewEvent,
  provided: SQL = sql`true`,
) {
  return db.insert(securityEvents).values({
    at: now,
    kind: sql`case when ${provided} then ${kind} end`,
    email,
    by: whoDidIt(actor, email),
    ...client,
    detail,
  });
}

/** The user or the token that did it; null for the account's own user. */
function whoDidIt(actor: Actor, email: string) {
  if (actor.kind !== "user") return null;
  const user = actor.email === email ? null : actor.email;
  if (!actor.token) return user;
  return [nameOfToken(actor.token), ...(user ? [`of ${user}`] : [])].join(" ");
}

/** Quotation marks in the name could make another user of what follows it (`isDoneBy`). */
export const nameOfToken = ({ name }: { name: string }) => `the token “${name.replaceAll(/[“”]/g, "")}”`;

/** SQL: the user, or one of the user's tokens, did it to another account. */
export const isDoneBy = (email: string) => {
  const { by } = securityEvents;
  return sql`(${by} = ${email} or (instr(${by}, '” of ') > 0 and substr(${by}, instr(${by}, '” of ') + 5) = ${email}))`;
};

/** The account that an event about the site is recorded for: the actor's; a job acts for the owner. */
export const actorEmail = ({ actor, config }: Context) =>
  actor.kind === "user" ? actor.email : config.adminEmail;

/** The same, written only if the condition holds. */
export function eventRowIf(
  { db, now, client, actor }: Context,
  { kind, email, detail = null }: NewEvent,
  condition: SQL,
) {
  return db.insert(securityEvents).select(
    sql`select null, ${now.getTime()}, ${kind}, ${email}, ${whoDidIt(actor, email)}, ${client.address}, ${client.userAgent}, ${detail}, null, null, null
    where ${condition}`,
  );
}

/** Milliseconds in which the same request again is one whose answer was lost. */
const REPEATED_MS = 60_000;

/** The same for a request that may be repeated: not if it was logged within the last milliseconds. */
export function eventRowOnce(ctx: Context, event: NewEvent, within = REPEATED_MS) {
  const { kind, email, detail = null } = event;
  const { address, userAgent } = ctx.client;
  const isLogged = sql`exists (select 1 from ${securityEvents} where kind = ${kind} and email = ${email}
    and address = ${address} and user_agent = ${userAgent} and detail is ${detail}
    and at > ${ctx.now.getTime() - within})`;
  return eventRowIf(ctx, event, sql`not ${isLogged}`);
}

/** Runs a batch whose event has a condition. If it does not hold, nothing is written and the error is thrown. */
export const throwUnless = <T>(error: () => AppError | Promise<AppError>, write: () => Promise<T>) =>
  refusingBroken("NOT NULL constraint failed: security_events.kind", error, write);
