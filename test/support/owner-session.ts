import type { Role } from "#worker/access/contract.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { newSession } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
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
  const { token, statement } = await newSession(ctx, user);
  await statement;
  return { ...sessionCookieOf("http://localhost"), value: token };
}
