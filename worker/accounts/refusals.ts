import { lt, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { eventRowIf, type NewEvent } from "#worker/accounts/audit-log.ts";
import type { SecurityEventKind } from "#worker/accounts/contract.ts";
import { leftOutRefusals, securityEvents } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

const HOUR = 3_600_000;
/** Stored in an hour of each kind: for one user, or for all visitors together. */
const MOST_AN_HOUR = 20;
/** Failed sign-ins that are stored in an hour: for all together, since the addresses are those that were typed. */
const MOST_SIGN_INS_AN_HOUR = 100;
/** Milliseconds between two writes of the number that was left out. */
const FLUSH_MS = 60_000;

export type Refusal = { kind: SecurityEventKind; email: string; detail: string };

type Answer = {
  status: number;
  error: unknown;
  actor: Actor;
  /** The request came with a session's cookie or a token. */
  hasCredentials: boolean;
  /** The address of the mail provider's reports. */
  isMailReport: boolean;
  /** Method and path, without ids or secrets. */
  route: string;
};

/** What an answer refuses, if the log has such; null for any other answer. */
export function refusalOf({
  status,
  error,
  actor,
  hasCredentials,
  isMailReport,
  route,
}: Answer): Refusal | null {
  const { code, field, isForeign = false, hasUnknownKeys = false } = error instanceof AppError ? error : {};
  const of = (kind: SecurityEventKind) => ({
    kind,
    email: actor.kind === "user" ? actor.email : "",
    detail: route,
  });
  if (status === 429) return of("limit_reached");
  // Not a refusal: the user is asked to confirm who they are, and then may.
  if (status === 403 && code !== "reauthentication_required") {
    if (isForeign) return of("origin_refused");
    return actor.kind === "user" ? of("access_refused") : null;
  }
  if (status === 422 && field === "token") return of("link_refused");
  // A link may have any query, but a body is made by a form of this site, or by a program.
  if (hasUnknownKeys && !route.startsWith("GET ")) return of("input_refused");
  if (status !== 401) return null;
  if (isMailReport) return of("signature_refused");
  // Without credentials, and at the sign-in, which has events of its own, nothing is claimed that could be wrong.
  return hasCredentials && actor.kind === "visitor" && !SIGN_IN.test(route) ? of("session_refused") : null;
}

const SIGN_IN = / \/api\/admin\/session\b/;

/** Refused inputs of one user or address in an hour that no person reaches by mistyping. */
const MOST_MISTYPED = 200;

/** This hour's refused inputs in this isolate, by user or address. */
const mistyped = new LRUCache<string, { hour: number; count: number }>({ max: 1000 });

/** Counts an input that was refused, and returns the one refusal of an hour in which there are more than a person makes. */
export function countRefusedInput(
  ctx: Context,
  { status, route }: Pick<Answer, "status" | "route">,
): Refusal | null {
  if (status !== 400 && status !== 422) return null;
  const email = ctx.actor.kind === "user" ? ctx.actor.email : "";
  const key = email || ctx.client.address;
  const hour = Math.floor(ctx.now.getTime() / HOUR);
  const known = mistyped.get(key);
  const count = known?.hour === hour ? known.count + 1 : 1;
  mistyped.set(key, { hour, count });
  const detail = `more than ${MOST_MISTYPED} in an hour, such as ${route}`;
  return count === MOST_MISTYPED + 1 ? { kind: "input_refused", email, detail } : null;
}

type Window = { hour: number; stored: number; leftOut: number; flushedAt: number };

/** This hour's refusals in this isolate, by kind and user. Without it, a flood would write to D1 as often as it asks. */
const windows = new Map<string, Window>();
/** For tests: those of another database. */
export function clearRefusals() {
  windows.clear();
  mistyped.clear();
}
/** Users are few; this only bounds the memory. */
const MOST_WINDOWS = 500;

/** Stores a refusal by `refusalRows`. */
export async function recordRefusal(ctx: Context, refusal: Refusal) {
  const [event, ...count] = refusalRows(ctx, refusal);
  if (event) await ctx.db.batch([event, ...count]);
}

/**
 * The statements that store a refusal, at most 20 in an hour of each kind for one user or for all visitors, and 100 failed
 * sign-ins. The number of those left out is stored at most once a minute, and becomes an entry after the hour. An isolate that
 * ends forgets what it has counted since.
 */
export function refusalRows(ctx: Context, refusal: NewEvent) {
  const { kind } = refusal;
  const isSignIn = kind === "login_failed";
  const most = isSignIn ? MOST_SIGN_INS_AN_HOUR : MOST_AN_HOUR;
  /** Whose are counted together; empty for all visitors. */
  const email = isSignIn ? "" : refusal.email;
  const time = ctx.now.getTime();
  const hour = Math.floor(time / HOUR);
  const key = `${kind} ${email}`;
  const known = windows.get(key);
  const window = known?.hour === hour ? known : { hour, stored: 0, leftOut: 0, flushedAt: 0 };
  if (windows.size >= MOST_WINDOWS) windows.clear();
  windows.set(key, window);
  if (window.stored >= most) {
    window.leftOut++;
    if (time - window.flushedAt < FLUSH_MS) return [];
  } else window.stored++;
  window.flushedAt = time;
  const { leftOut } = window;
  window.leftOut = 0;
  const isRoom = sql`${Number(leftOut === 0)} and (select count(*) from ${securityEvents} where kind = ${kind}
    and at >= ${hour * HOUR} and at < ${(hour + 1) * HOUR} and (${Number(isSignIn)} or email = ${email})) < ${most}`;
  const count = ctx.db
    .insert(leftOutRefusals)
    .select(
      sql`select ${kind}, ${email}, ${hour}, ${leftOut} + (${Number(leftOut === 0)} and changes() = 0) as count
        where ${leftOut} > 0 or changes() = 0`,
    )
    .onConflictDoUpdate({
      target: [leftOutRefusals.kind, leftOutRefusals.email, leftOutRefusals.hour],
      set: { count: sql`${leftOutRefusals.count} + excluded.count` },
    });
  return [eventRowIf(ctx, refusal, isRoom), count];
}

/** Each minute: writes an entry for each kind and user of which refusals were left out in an hour that is over. */
export async function closeRefusals(ctx: Context) {
  const hour = Math.floor(ctx.now.getTime() / HOUR);
  const isOver = lt(leftOutRefusals.hour, hour);
  const rows = await ctx.db.select().from(leftOutRefusals).where(isOver).limit(MOST_CLOSED);
  for (const { kind, email, hour: past, count } of rows) {
    const isIt = sql`kind = ${kind} and email = ${email} and hour = ${past}`;
    const words = `${count} more in the hour before ${new Date((past + 1) * HOUR).toISOString().slice(11, 16)} UTC`;
    const there = sql`exists (select 1 from ${leftOutRefusals} where ${isIt} and count = ${count})`;
    await ctx.db.batch([
      eventRowIf(ctx, { kind, email, detail: words }, there),
      ctx.db.delete(leftOutRefusals).where(sql`${isIt} and count = ${count}`),
    ]);
  }
}

const MOST_CLOSED = 20;

/** SQL: how many events an entry is about: that of `closeRefusals` is about as many as were left out. */
export const eventCount = sql<number>`case when address = '' and detail glob '[0-9]* more in the hour before *'
  then cast(detail as integer) else 1 end`;
