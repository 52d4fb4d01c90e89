import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { countAttempt, forgive } from "#worker/accounts/attempts.ts";
import { WRONG_CREDENTIALS, type Admin, type LoginInput } from "#worker/accounts/contract.ts";
import { eventRow } from "#worker/accounts/events.ts";
import { hashPassword, isOutdated, passwordMatches } from "#worker/accounts/passwords.ts";
import type { User } from "#worker/accounts/links.ts";
import { newSession, seen } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { requireUser } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Opens a session. Who is unknown, inactive, unverified or wrong gets one answer, in the same time. */
export async function logIn(ctx: Context, { email, password }: LoginInput) {
  const attempt = await countAttempt(ctx, { email, address: ctx.client.address });
  const [user] = await ctx.db.select().from(users).where(eq(users.email, email));
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  if (!user || !matches || !user.isActive || !user.emailVerified) {
    await eventRow(ctx, { kind: "login_failed", email: z.regexes.email.test(email) ? email : NO_ADDRESS });
    throw new AppError("unauthenticated", WRONG_CREDENTIALS);
  }
  await forgive(ctx, attempt);
  await raiseCost(ctx, user, password);
  const { token, statement } = await newSession(ctx, user);
  await ctx.db.batch([statement, seen(ctx, user.id), eventRow(ctx, { kind: "login", email })]);
  return { token, admin: adminOf(user) };
}

/** A password that was typed into the wrong field is not to stand in the log. */
const NO_ADDRESS = "(not an address)";

export const whoIs = (ctx: Context) => adminOf(requireUser(ctx));

const adminOf = ({ id, email, fullName, role }: Admin): Admin => ({ id, email, fullName, role });

/** The password stays the same, so the stamp does too: no session ends. One that was reset meanwhile stays as it is. */
async function raiseCost({ db }: Context, { id, passwordHash }: User, password: string) {
  if (passwordHash === null || !isOutdated(passwordHash)) return;
  await db
    .update(users)
    .set({ passwordHash: await hashPassword(password) })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
}
