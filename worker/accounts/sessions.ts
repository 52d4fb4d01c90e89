import { and, eq, gte, isNotNull, isNull, lte, ne, or, sql, type Placeholder } from "drizzle-orm";
import { effectiveRole, factorDueAt, isStrongEnough, passwordEndsAt } from "#worker/accounts/factor-rules.ts";
import { LRUCache } from "lru-cache";
import { putRecord } from "#worker/accounts/session-records.ts";
import {
  decodeSessionToken,
  MAX_IDLE_MS,
  MAX_SESSION_MS,
  newSessionId,
  signSessionToken,
  verifySessionToken,
  type SessionToken,
} from "#worker/accounts/session-token.ts";
import { endedSessions, sessions, users } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { mayVerifyExpiring, secretOf } from "#worker/platform/http/signing-keys.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";

const DAY = 86_400_000;
/** Milliseconds between two writes of a session's record, and so the precision of "last seen" in the list of devices. */
export const RECORDED_AFTER_MS = DAY;
/** The same for a user's last visit, in the list of users. */
export const SEEN_AFTER_MS = 5 * 60_000;

type NewSession = { id: string; stamp: string; provedFactor: boolean };

/** The token of a new session of a user, for its cookie. Its record is written by the first request that has it. */
export const newSession = (ctx: Context, { id: userId, stamp, provedFactor }: NewSession) =>
  signSessionToken(ctx, {
    id: newSessionId(),
    userId,
    stamp,
    openedAt: ctx.now,
    authenticatedAt: ctx.now,
    provedFactor,
    recordedAt: null,
  });

type ReadSession = {
  actor: Actor;
  /** Null for a visitor, and for a session without a token. */
  session: SessionToken | null;
};

const NONE: ReadSession = { actor: { kind: "visitor" }, session: null };

/**
 * The session of a cookie. One statement reads the user, the key and whether the session was ended, so that a change there
 * ends it immediately.
 */
export async function readSessionOf(ctx: Context, token: string): Promise<ReadSession> {
  const claimed = decodeSessionToken(token);
  if (!claimed) return readRow(ctx, token);
  const provedBy = ago(ctx, FORMER_TOKEN_MS).getTime();
  const [found] = await selectUser(ctx, { ...claimed, provedBy });
  if (!found?.key || found.isEnded || !mayVerifyExpiring(ctx, found.key)) return NONE;
  const key = await secretOf(ctx, found.key);
  const session = key && (await verifySessionToken(ctx, token, key));
  if (!session || isEndedWithOthers(session, found.user)) return NONE;
  const { provedFactor } = session;
  if (!isStrongEnough(ctx, { provedFactor, passwordEndsAt: found.passwordEndsAt })) return NONE;
  return readAs(ctx, found, session);
}

/** The actor of a cookie. */
export const actorOf = async (ctx: Context, token: string) => (await readSessionOf(ctx, token)).actor;

/**
 * Milliseconds for which the token from before a proof still works, without the proof: requests may be under way that the
 * browser has sent with it, and the answer with the new one may come later than theirs. Of two proofs in two tabs, sent with the
 * same token, both new tokens work: the browser has the one that came last.
 */
const FORMER_TOKEN_MS = 30_000;

const CLAIMS = ["userId", "stamp", "kid", "id", "authenticated", "provedBy"] as const;

const selectUser = prepared([...CLAIMS], (db, { userId, stamp, kid, id, authenticated, provedBy }) =>
  db
    .select({
      user: users,
      dueAt: factorDueAt,
      passwordEndsAt,
      key: signingKeys,
      isEnded: sql<number>`exists (select 1 from ${endedSessions} where ${endedSessions.id} = ${id}
        and (${isWholeSession} or ${endedSessions.endedThrough} >= ${authenticated}
          or (${endedSessions.formerThrough} >= ${authenticated} and ${endedSessions.provedAt} <= ${provedBy})))`,
    })
    .from(users)
    .leftJoin(signingKeys, eq(signingKeys.kid, kid))
    .where(and(eq(users.id, userId), eq(users.stamp, stamp))),
);

/** SQL: a row of `ended_sessions` is about all tokens of its session. */
export const isWholeSession = isNull(endedSessions.provedAt);

type User = typeof users.$inferSelect;

type Found = { user: User; dueAt: number | null };

function readAs(ctx: Context, { user, dueAt }: Found, session: SessionToken): ReadSession {
  if (!user.isActive || !user.emailVerified) return NONE;
  const before = ago(ctx, SEEN_AFTER_MS);
  // The sign-in has stored its own time.
  const isMarked = session.openedAt > before || (user.lastSeenAt !== null && user.lastSeenAt > before);
  if (!isMarked) ctx.later(markSeen(ctx, user.id, before));
  const { id, email, fullName, role } = user;
  const { id: sessionId, authenticatedAt, stamp, openedAt, provedFactor } = session;
  const known = { kind: "user", id, email, fullName, sessionId, authenticatedAt } as const;
  const opened = { stamp, openedAt, provedFactor };
  return { actor: { ...known, ...effectiveRole(ctx, { role, dueAt }), session: opened }, session };
}

/** Whether the user has signed out all devices but another one since the session was opened. */
export const isEndedWithOthers = (
  { id, openedAt }: Pick<SessionToken, "id" | "openedAt">,
  { othersEndedAt, remainingSession }: Pick<User, "othersEndedAt" | "remainingSession">,
) => othersEndedAt !== null && openedAt <= othersEndedAt && id !== remainingSession;

/** Sessions from before they had tokens are rows, whose cookie's SHA-256 is their id. They work until they expire. */
const selectRow = prepared(["id", "createdAfter", "seenAfter"], (db, { id, ...oldest }) =>
  db
    .select({ session: sessions, user: users, dueAt: factorDueAt, passwordEndsAt })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.stamp, sessions.stamp)))
    .where(and(eq(sessions.id, id), isOpenRow(oldest))),
);

async function readRow(ctx: Context, token: string): Promise<ReadSession> {
  const [found] = await selectRow(ctx, { id: await sha256(token), ...oldestOpen(ctx) });
  if (!found) return NONE;
  const { session, user, dueAt } = found;
  if (!user.isActive || !user.emailVerified) return NONE;
  // Nothing says what opened it.
  if (!isStrongEnough(ctx, { provedFactor: false, passwordEndsAt: found.passwordEndsAt })) return NONE;
  if (session.seenAt <= ago(ctx, SEEN_AFTER_MS)) ctx.later(markRowSeen(ctx, session));
  const { id, email, fullName, role } = user;
  const { id: sessionId, authenticatedAt } = session;
  const known = { kind: "user", id, email, fullName, sessionId, authenticatedAt } as const;
  return { actor: { ...known, ...effectiveRole(ctx, { role, dueAt }) }, session: null };
}

/** When this isolate last renewed a session: of the requests that a page sends together, one does. */
const renewals = new LRUCache<string, number>({ max: 1000 });
const BETWEEN_RENEWALS_MS = 60_000;

/**
 * The new value of the cookie of a session, at most once a day, whose record it writes after the answer; null if the cookie
 * is younger, or if the session was proved or ended while the request ran: the browser may have a newer cookie. So sessions in
 * use stay open, and are signed by the current key.
 */
export async function renewSession(ctx: Context, session: SessionToken) {
  if (session.recordedAt !== null && session.recordedAt > ago(ctx, RECORDED_AFTER_MS)) return null;
  const last = renewals.get(session.id);
  if (last !== undefined && ctx.now.getTime() - last < BETWEEN_RENEWALS_MS) return null;
  renewals.set(session.id, ctx.now.getTime());
  const isFormer = or(isWholeSession, gte(endedSessions.formerThrough, session.authenticatedAt));
  if (await ctx.db.$count(endedSessions, and(eq(endedSessions.id, session.id), isFormer))) return null;
  const renewed = { ...session, recordedAt: ctx.now };
  ctx.later(afterWrite("sessions: KV did not take the record", putRecord(ctx, renewed)));
  return signSessionToken(ctx, renewed);
}

/**
 * The new value of the cookie of a session whose user has proved at this time who they are; null if it has ended, or has a
 * row, which notes that. `byFactor`: by more than the password.
 */
export async function authenticateSession(
  ctx: Context,
  token: string,
  { at = ctx.now, byFactor = false }: { at?: Date; byFactor?: boolean } = {},
) {
  const { session } = await readSessionOf(ctx, token);
  if (!session) return null;
  const provedFactor = session.provedFactor || byFactor;
  return signSessionToken(ctx, { ...session, authenticatedAt: at, provedFactor });
}

/**
 * The new value of the cookie of the actor's session, in which a second factor was just set up: the former value no longer
 * works. Null for a session without a token.
 */
export async function sessionWithFactor(
  ctx: Context,
  { id: userId, sessionId, session, authenticatedAt }: SignedIn,
) {
  if (!session) return null;
  const { stamp, openedAt } = session;
  const opened = { id: sessionId, userId, stamp, openedAt, authenticatedAt };
  return signSessionToken(ctx, { ...opened, provedFactor: true, recordedAt: null });
}

/**
 * The new value of the cookie of the actor's session, which remains when its former tokens are ended (`endFormerTokens`): of a
 * millisecond later, so that it proves nothing for longer. Null for a session without a token.
 */
export async function sessionWithoutCopies(
  ctx: Context,
  { id: userId, sessionId, session, authenticatedAt }: SignedIn,
) {
  if (!session) return null;
  const remaining = { ...session, id: sessionId, userId, recordedAt: null };
  return signSessionToken(ctx, { ...remaining, authenticatedAt: new Date(authenticatedAt.getTime() + 1) });
}

type OneSession = Pick<SessionToken, "userId" | "id">;

/** The statement that ends a session. */
export const endSession = (ctx: Context, { userId, id }: OneSession) =>
  ctx.db
    .insert(endedSessions)
    .values({ id, userId, expiresAt: lastExpiry(ctx) })
    .onConflictDoUpdate({
      target: endedSessions.id,
      set: { provedAt: null, expiresAt: lastExpiry(ctx) },
    });

/**
 * The statements that end the token with which the actor's request was sent, its copies and older ones; none for a session
 * without a token. The caller signs a new one.
 */
export function endFormerTokens(ctx: Context, { id: userId, sessionId, session, authenticatedAt }: SignedIn) {
  if (!session) return [];
  const { provedAt, formerThrough, endedThrough } = endedSessions;
  // The new token may be of this millisecond.
  const formerTime = new Date(Math.min(authenticatedAt.getTime(), ctx.now.getTime() - 1));
  const row = { userId, expiresAt: lastExpiry(ctx), provedAt: ctx.now, formerThrough: formerTime };
  const end = ctx.db
    .insert(endedSessions)
    .values({ id: sessionId, ...row })
    .onConflictDoUpdate({
      target: endedSessions.id,
      set: {
        endedThrough: sql`iif(${provedAt} <= ${ago(ctx, FORMER_TOKEN_MS).getTime()}, ${formerThrough}, ${endedThrough})`,
        provedAt: sql`iif(excluded.former_through > ${formerThrough}, excluded.proved_at, ${provedAt})`,
        formerThrough: sql`max(${formerThrough}, excluded.former_through)`,
        expiresAt: row.expiresAt,
      },
      setWhere: isNotNull(provedAt),
    });
  return [end] as const;
}

/** No token that was signed up to now works for longer. */
const lastExpiry = ({ now }: Context) => new Date(now.getTime() + MAX_IDLE_MS);

/** The statement that deletes a user's rows of sessions without a token; a new stamp ends the others. */
export const deleteSessionsOf = ({ db }: Context, userId: string) =>
  db.delete(sessions).where(eq(sessions.userId, userId));

/**
 * The statements that sign the user out everywhere but in the current browser. `provided`: SQL of the condition under which
 * they do.
 */
export const endOtherSessions = ({ db, now }: Context, me: SignedIn, provided = sql`true`) =>
  [
    db.delete(sessions).where(and(eq(sessions.userId, me.id), ne(sessions.id, me.sessionId), provided)),
    db
      .update(users)
      .set({ othersEndedAt: now, remainingSession: me.sessionId })
      .where(and(eq(users.id, me.id), provided)),
  ] as const;

export const ago = ({ now }: Context, milliseconds: number) => new Date(now.getTime() - milliseconds);

/** SQL: the session without a token has not expired. */
export const isOpenSession = (ctx: Context) => isOpenRow(oldestOpen(ctx));

type Oldest<Time> = { createdAfter: Time; seenAfter: Time };

const isOpenRow = ({ createdAfter, seenAfter }: Oldest<number | Placeholder>) =>
  sql`${sessions.createdAt} > ${createdAfter} and ${sessions.seenAt} > ${seenAfter}`;

/** Milliseconds UTC. */
const oldestOpen = (ctx: Context): Oldest<number> => ({
  createdAfter: ago(ctx, MAX_SESSION_MS).getTime(),
  seenAfter: ago(ctx, MAX_IDLE_MS).getTime(),
});

type SignedIn = Extract<Actor, { kind: "user" }>;

/** SQL: the actor's session, which a concurrent change may have ended, is still open. */
export const isStillOpen = ({ id, sessionId, session }: SignedIn) =>
  session
    ? sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.stamp} = ${session.stamp}
        and (${users.othersEndedAt} is null or ${users.othersEndedAt} < ${session.openedAt.getTime()}
          or ${users.remainingSession} is ${sessionId})
        and not exists (select 1 from ${endedSessions} where ${endedSessions.id} = ${sessionId} and ${isWholeSession}))`
    : sql`exists (select 1 from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
        and ${users.stamp} = ${sessions.stamp} where ${sessions.id} = ${sessionId})`;

/** The same for a session without a token. */
async function markRowSeen(ctx: Context, { id, userId }: { id: string; userId: string }) {
  const { db, now, client } = ctx;
  const before = ago(ctx, SEEN_AFTER_MS);
  const mark = db
    .update(sessions)
    .set({ seenAt: now, ...client })
    .where(and(eq(sessions.id, id), lte(sessions.seenAt, before)));
  await db.batch([mark, lastSeenUnless(ctx, userId, before)]);
}

/** Only one of several concurrent requests writes. */
const markSeen = async (ctx: Context, userId: string, before: Date) =>
  void (await lastSeenUnless(ctx, userId, before));

const lastSeenUnless = ({ db, now }: Context, userId: string, before: Date) =>
  db
    .update(users)
    .set({ lastSeenAt: now })
    .where(and(eq(users.id, userId), or(isNull(users.lastSeenAt), lte(users.lastSeenAt, before))));

/** The statement that updates when a user was last seen. */
export const lastSeenUpdate = ({ db, now }: Context, userId: string) =>
  db.update(users).set({ lastSeenAt: now }).where(eq(users.id, userId));
