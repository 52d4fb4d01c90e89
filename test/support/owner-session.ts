import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { newSession } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Makes a verified super admin without a password, behind the Worker's back; returns the cookie of a session of theirs. */
export async function createOwnerSession(ctx: Context, person: { email: string; fullName: string }) {
  const owner = { id: crypto.randomUUID(), stamp: "test" };
  await ctx.db.insert(users).values({
    ...owner,
    ...person,
    role: "super_admin",
    isActive: true,
    emailVerified: true,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  const { token, statement } = await newSession(ctx, owner);
  await statement;
  return { ...sessionCookieOf("http://localhost"), value: token };
}
