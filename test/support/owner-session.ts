import type { Role } from "#worker/access/contract.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { sessions, users } from "#worker/accounts/table.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import type { Context } from "#worker/platform/context.ts";

type Person = { email: string; fullName: string; role: Role };

export const createOwnerSession = (ctx: Context, person: Omit<Person, "role">) =>
  createSession(ctx, { ...person, role: "super_admin" });

/** Makes a verified user without a password, behind the Worker's back; returns the cookie of a session of theirs. */
export async function createSession(ctx: Context, person: Person) {
  const user = { id: crypto.randomUUID(), stamp: "test" };
  await ctx.db.insert(users).values({
    ...user,
    ...person,
    isActive: true,
    emailVerified: true,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  // Without a token: a test may change the times of its row.
  const token = randomToken();
  const session = { userId: user.id, stamp: user.stamp, createdAt: ctx.now, seenAt: ctx.now };
  await ctx.db
    .insert(sessions)
    .values({ id: await sha256(token), ...session, authenticatedAt: ctx.now, address: "", userAgent: "" });
  return { ...sessionCookieOf("http://localhost"), value: token };
}
