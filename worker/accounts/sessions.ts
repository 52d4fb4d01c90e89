import { and, desc, eq, gt, lte, ne, or } from "drizzle-orm";
import type { Device } from "#worker/accounts/contract.ts";
import { deviceOf } from "#worker/accounts/devices.ts";
import { eventRow } from "#worker/accounts/events.ts";
import { sessions, users } from "#worker/accounts/table.ts";
import { requireUser } from "#worker/access/capabilities.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds. A session in use slides on by this; */
const SLIDING = 14 * DAY;
/** none lives longer than this. */
export const LONGEST = 60 * DAY;
/** A session in use is written at most once in this time. */
const SEEN_AFTER = HOUR;

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
    ...client,
  });
  return { token, statement };
}

/** Who holds the token. The user's row is read with it every time: what changes there ends its sessions at once. */
export async function actorOf(ctx: Context, token: string): Promise<Actor> {
  const [held] = await ctx.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.stamp, sessions.stamp)))
    .where(and(eq(sessions.id, await sha256(token)), isOpen(ctx)));
  if (!held || !held.user.isActive || !held.user.emailVerified) return { kind: "visitor" };
  const { session, user } = held;
  if (session.seenAt < ago(ctx, SEEN_AFTER)) ctx.later(markSeen(ctx, session));
  const { id, email, fullName, role } = user;
  return { kind: "user", id, email, fullName, role, sessionId: session.id };
}

/** Logs out: the session ends for every copy of its cookie. */
export async function closeSession(ctx: Context, token: string) {
  const { actor } = ctx;
  const close = ctx.db.delete(sessions).where(eq(sessions.id, await sha256(token)));
  if (actor.kind !== "user") return void (await close);
  await ctx.db.batch([close, eventRow(ctx, { kind: "logout", email: actor.email })]);
}

/** The browsers in which the person who asks is signed in, the latest used first. */
export async function listDevices(ctx: Context): Promise<Device[]> {
  const me = requireUser(ctx);
  const rows = await ctx.db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.stamp, sessions.stamp)))
    .where(and(eq(sessions.userId, me.id), isOpen(ctx)))
    .orderBy(desc(sessions.seenAt), desc(sessions.createdAt));
  return rows.map(({ session: { id, userAgent, address, createdAt, seenAt } }) => ({
    id,
    isCurrent: id === me.sessionId,
    device: deviceOf(userAgent),
    address,
    createdAt: createdAt.getTime(),
    seenAt: seenAt.getTime(),
  }));
}

/** Signs one of the person's own browsers out. */
export async function endSession(ctx: Context, id: string) {
  const me = requireUser(ctx);
  const own = and(eq(sessions.id, id), eq(sessions.userId, me.id));
  const [session] = await ctx.db.select().from(sessions).where(own);
  if (!session) throw new AppError("not_found", "This device is not signed in any more.");
  await ctx.db.batch([
    ctx.db.delete(sessions).where(own),
    eventRow(ctx, { kind: "session_ended", email: me.email, detail: deviceOf(session.userAgent) }),
  ]);
}

/** Signs the person out everywhere but in the browser that asks. */
export async function endOtherSessions(ctx: Context) {
  const me = requireUser(ctx);
  await ctx.db.batch([
    ctx.db.delete(sessions).where(and(eq(sessions.userId, me.id), ne(sessions.id, me.sessionId))),
    eventRow(ctx, { kind: "sessions_ended", email: me.email }),
  ]);
}

/** The statement that ends all of a user's sessions. */
export const endSessions = ({ db }: Context, userId: string) =>
  db.delete(sessions).where(eq(sessions.userId, userId));

export async function pruneSessions(ctx: Context) {
  await ctx.db
    .delete(sessions)
    .where(or(lte(sessions.createdAt, ago(ctx, LONGEST)), lte(sessions.seenAt, ago(ctx, SLIDING))));
}

const ago = ({ now }: Context, milliseconds: number) => new Date(now.getTime() - milliseconds);

const isOpen = (ctx: Context) =>
  and(gt(sessions.createdAt, ago(ctx, LONGEST)), gt(sessions.seenAt, ago(ctx, SLIDING)));

async function markSeen(ctx: Context, { id, userId }: { id: string; userId: string }) {
  const { db, now, client } = ctx;
  const mark = db
    .update(sessions)
    .set({ seenAt: now, ...client })
    .where(eq(sessions.id, id));
  await db.batch([mark, seen(ctx, userId)]);
}

/** The statement that notes when somebody was here last. */
export const seen = ({ db, now }: Context, userId: string) =>
  db.update(users).set({ lastSeenAt: now }).where(eq(users.id, userId));
