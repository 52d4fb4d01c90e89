import { and, eq, isNull, lte, or, sql, type Placeholder } from "drizzle-orm";
import { sessions, users } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";

const DAY = 86_400_000;
/** Milliseconds after its last use at which a session expires. */
export const MAX_IDLE_MS = 14 * DAY;
/** Milliseconds after the login at which it expires in any case. */
export const MAX_SESSION_MS = 60 * DAY;
/** Milliseconds between two writes of its last use, and so the precision of the lists of devices and users. */
export const SEEN_AFTER_MS = 5 * 60_000;

type Owner = { id: string; stamp: string };

/** A new session: the token for its cookie, of which only the SHA-256 is stored, and the statement that opens it. */
export async function newSession({ db, now, client }: Context, user: Owner) {
  const token = randomToken();
  const statement = db.insert(sessions).values({
    id: await sha256(token),
    userId: user.id,
    stamp: user.stamp,
    createdAt: now,
    seenAt: now,
    authenticatedAt: now,
    ...client,
  });
  return { token, statement };
}

/** Every request of the admin area reads it. */
const selectSession = prepared(["id", "createdAfter", "seenAfter"], (db, { id, ...oldest }) =>
  db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.stamp, sessions.stamp)))
    .where(and(eq(sessions.id, id), isOpen(oldest))),
);

/**
 * The actor of a session's token. Reads the user's row each time, so that a change there ends the session immediately.
 */
export async function actorOf(ctx: Context, token: string): Promise<Actor> {
  const [found] = await selectSession(ctx, { id: await sha256(token), ...oldestOpen(ctx) });
  if (!found || !found.user.isActive || !found.user.emailVerified) return { kind: "visitor" };
  const { session, user } = found;
  if (session.seenAt <= ago(ctx, SEEN_AFTER_MS)) ctx.later(markSeen(ctx, session));
  const { id, email, fullName, role } = user;
  const { id: sessionId, authenticatedAt } = session;
  return { kind: "user", id, email, fullName, role, sessionId, authenticatedAt };
}

/** The statement that ends all of a user's sessions. */
export const deleteSessionsOf = ({ db }: Context, userId: string) =>
  db.delete(sessions).where(eq(sessions.userId, userId));

export const ago = ({ now }: Context, milliseconds: number) => new Date(now.getTime() - milliseconds);

/** SQL: the session has not expired. */
export const isOpenSession = (ctx: Context) => isOpen(oldestOpen(ctx));

type Oldest<Time> = { createdAfter: Time; seenAfter: Time };

const isOpen = ({ createdAfter, seenAfter }: Oldest<number | Placeholder>) =>
  sql`${sessions.createdAt} > ${createdAfter} and ${sessions.seenAt} > ${seenAfter}`;

/** Milliseconds UTC. */
const oldestOpen = (ctx: Context): Oldest<number> => ({
  createdAfter: ago(ctx, MAX_SESSION_MS).getTime(),
  seenAfter: ago(ctx, MAX_IDLE_MS).getTime(),
});

/** SQL: the session, which a concurrent change may have ended, is still its user's. */
export const isStillOpen = (id: string) =>
  sql`exists (select 1 from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
    and ${users.stamp} = ${sessions.stamp} where ${sessions.id} = ${id})`;

/** Only one of several concurrent requests writes. */
async function markSeen(ctx: Context, { id, userId }: { id: string; userId: string }) {
  const { db, now, client } = ctx;
  const before = ago(ctx, SEEN_AFTER_MS);
  const mark = db
    .update(sessions)
    .set({ seenAt: now, ...client })
    .where(and(eq(sessions.id, id), lte(sessions.seenAt, before)));
  const markUser = db
    .update(users)
    .set({ lastSeenAt: now })
    .where(and(eq(users.id, userId), or(isNull(users.lastSeenAt), lte(users.lastSeenAt, before))));
  await db.batch([mark, markUser]);
}

/** The statement that updates when a user was last seen. */
export const lastSeenUpdate = ({ db, now }: Context, userId: string) =>
  db.update(users).set({ lastSeenAt: now }).where(eq(users.id, userId));
