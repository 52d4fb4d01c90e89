import { eq } from "drizzle-orm";
import { countAttempt, forgive } from "#worker/accounts/attempts.ts";
import type { Account, PasswordChange } from "#worker/accounts/contract.ts";
import { eventRow, refusingUnless } from "#worker/accounts/events.ts";
import { passwordChangedLetter } from "#worker/accounts/letters.ts";
import { isUnchanged } from "#worker/accounts/links.ts";
import { hashPassword, passwordMatches, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import { endSessions, newSession } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { requireUser, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wake } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";

/** Everybody's own account: no capability is needed for it. */
export function readAccount(ctx: Context): Account {
  const { id, email, fullName, role } = requireUser(ctx);
  return { id, email, fullName, role };
}

export async function renameAccount(ctx: Context, { fullName }: { fullName: string }): Promise<Account> {
  const me = readAccount(ctx);
  await ctx.db.update(users).set({ fullName, updatedAt: ctx.now }).where(eq(users.id, me.id));
  return { ...me, fullName };
}

/**
 * Changes the person's own password, signs out every other browser, and returns the token of this one's new session.
 * The present password is asked for, and guesses at it are counted as those at the login are.
 */
export async function changePassword(ctx: Context, { currentPassword, password }: PasswordChange) {
  const me = requireUser(ctx);
  const attempt = await countAttempt(ctx, { email: me.email, address: ctx.client.address });
  const [user] = await ctx.db.select().from(users).where(eq(users.id, me.id));
  if (!user || !(await passwordMatches(currentPassword, user.passwordHash))) {
    await eventRow(ctx, { kind: "password_refused", email: me.email });
    throw new AppError("invalid", "This is not your current password.", { field: "currentPassword" });
  }
  refuseCommonPassword(password, user);
  const passwordHash = await hashPassword(password);
  const stamp = randomToken();
  const session = await newSession(ctx, { id: user.id, stamp });
  const mail = await passwordChangedLetter(ctx, user);
  await refusingUnless(changedMeanwhile, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "password_changed", email: user.email }, isUnchanged(user)),
      ctx.db.update(users).set({ passwordHash, stamp, updatedAt: ctx.now }).where(eq(users.id, user.id)),
      endSessions(ctx, user.id),
      session.statement,
      mail.statement,
    ]),
  );
  wake(ctx, mail.id);
  await forgive(ctx, attempt);
  return session.token;
}

const changedMeanwhile = () =>
  new AppError("conflict", "Your account was changed meanwhile. Please sign in again.");
