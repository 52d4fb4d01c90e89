import { eq } from "drizzle-orm";
import { countAttempt, forgive } from "#worker/accounts/attempts.ts";
import { WRONG_CREDENTIALS, type Admin, type LoginInput } from "#worker/accounts/contract.ts";
import { eventRow } from "#worker/accounts/events.ts";
import { hashPassword, isOutdated, passwordMatches } from "#worker/accounts/passwords.ts";
import { newSession, seen } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

type User = typeof users.$inferSelect;

/** Opens a session. Who is unknown, inactive, unverified or wrong gets one answer, in the same time. */
export async function logIn(ctx: Context, { email, password }: LoginInput) {
  const attempt = await countAttempt(ctx, { email, address: ctx.client.address });
  const [user] = await ctx.db.select().from(users).where(eq(users.email, email));
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  if (!user || !matches || !user.isActive || !user.emailVerified) {
    await eventRow(ctx, { kind: "login_failed", email });
    throw new AppError("unauthenticated", WRONG_CREDENTIALS);
  }
  await forgive(ctx, attempt);
  await raiseCost(ctx, user, password);
  const { token, statement } = await newSession(ctx, user);
  await ctx.db.batch([statement, seen(ctx, user.id), eventRow(ctx, { kind: "login", email })]);
  return { token, admin: adminOf(user) };
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
