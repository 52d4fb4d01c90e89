import { eq } from "drizzle-orm";
import { users } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";

const DAY = 86_400;
/** Seconds. A session in use slides on by this; */
const SLIDING = 14 * DAY;
/** none lives longer than this. */
export const LONGEST = 60 * DAY;
/** KV takes few writes a day, so a session in use is renewed at most once in this time. */
const RENEW_AFTER = DAY;

type Session = { userId: string; stamp: string; createdAt: number; renewedAt: number };

const recordKey = (id: string) => `session:${id}`;

/** Opens a session and returns the token for the cookie; only its SHA-256 is stored. */
export async function openSession(ctx: Context, user: { id: string; stamp: string }) {
  const token = randomToken();
  const now = ctx.now.getTime();
  const session: Session = { userId: user.id, stamp: user.stamp, createdAt: now, renewedAt: now };
  await ctx.kv.put(recordKey(await sha256(token)), JSON.stringify(session), { expirationTtl: SLIDING });
  return token;
}

/** Who holds the token. The user row is read every time: disabling a user or changing a password ends its sessions. */
export async function actorOf(ctx: Context, token: string): Promise<Actor> {
  const id = await sha256(token);
  const session = await ctx.kv.get<Session>(recordKey(id), "json");
  if (!session || isPast(ctx, session.createdAt, LONGEST) || isPast(ctx, session.renewedAt, SLIDING)) {
    return { kind: "visitor" };
  }
  const [user] = await ctx.db.select().from(users).where(eq(users.id, session.userId));
  if (!user || !user.isActive || !user.emailVerified || user.stamp !== session.stamp)
    return { kind: "visitor" };
  if (isPast(ctx, session.renewedAt, RENEW_AFTER)) ctx.later(renew(ctx, id, session));
  return {
    kind: "user",
    id: user.id,
    email: user.email,
    fullName: user.fullName,
    role: user.role,
    sessionId: id,
  };
}

export async function closeSession(ctx: Context, token: string) {
  await ctx.kv.delete(recordKey(await sha256(token)));
}

const isPast = ({ now }: Context, since: number, seconds: number) => now.getTime() - since > seconds * 1000;

async function renew(ctx: Context, id: string, session: Session) {
  const renewed: Session = { ...session, renewedAt: ctx.now.getTime() };
  await ctx.kv.put(recordKey(id), JSON.stringify(renewed), { expirationTtl: SLIDING });
}
