import { eq } from "drizzle-orm";
import { countAttempt, forgive } from "#worker/accounts/attempts.ts";
import { WRONG_CREDENTIALS, type Admin, type LoginInput } from "#worker/accounts/contract.ts";
import { hashPassword, isOutdated, passwordMatches } from "#worker/accounts/passwords.ts";
import { openSession } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

type User = typeof users.$inferSelect;

/** Opens a session. Who is unknown, inactive, unverified or wrong gets one answer, in the same time. */
export async function logIn(ctx: Context, { email, password, address }: LoginInput & { address: string }) {
  const attempt = await countAttempt(ctx, { email, address });
  const [user] = await ctx.db.select().from(users).where(eq(users.email, email));
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  if (!user || !matches || !user.isActive || !user.emailVerified) {
    throw new AppError("unauthenticated", WRONG_CREDENTIALS);
  }
  await forgive(ctx, attempt);
  await raiseCost(ctx, user, password);
  return { token: await openSession(ctx, user), admin: adminOf(user) };
}

export function whoIs({ actor }: Context): Admin {
  if (actor.kind !== "user") throw new AppError("unauthenticated", "Please sign in.");
  return adminOf(actor);
}

const adminOf = ({ id, email, fullName, role }: Admin): Admin => ({ id, email, fullName, role });

/** The password stays the same, so the stamp does too: no session ends. */
async function raiseCost({ db }: Context, { id, passwordHash }: User, password: string) {
  if (passwordHash === null || !isOutdated(passwordHash)) return;
  await db
    .update(users)
    .set({ passwordHash: await hashPassword(password) })
    .where(eq(users.id, id));
}
