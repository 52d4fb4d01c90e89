import { eq } from "drizzle-orm";
import { countAttempt, forgive } from "#worker/accounts/attempts.ts";
import type { Account, AddressChange, PasswordChange } from "#worker/accounts/contract.ts";
import { eventRow, refusingUnless } from "#worker/accounts/events.ts";
import { passwordChangedLetter } from "#worker/accounts/letters.ts";
import { isUnchanged } from "#worker/accounts/links.ts";
import { hashPassword, passwordMatches, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import { limitUserMails } from "#worker/accounts/requests.ts";
import { endSessions, newSession } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { stepsOf, writeSteps } from "#worker/accounts/user-changes.ts";
import { requireUser } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wake } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";

/** Everybody's own account: no capability is needed for it. */
export async function readAccount(ctx: Context): Promise<Account> {
  const { id, email, fullName, role } = requireUser(ctx);
  const [user] = await ctx.db
    .select({ pendingEmail: users.pendingEmail })
    .from(users)
    .where(eq(users.id, id));
  return { id, email, fullName, role, pendingEmail: user?.pendingEmail ?? null };
}

export async function renameAccount(ctx: Context, { fullName }: { fullName: string }) {
  const me = requireUser(ctx);
  await changeOwn(ctx, me.id, { fullName });
  return { ...(await readAccount(ctx)), fullName };
}

/** Asks to confirm another address, which then takes the place of the present one; that one itself ends the wait. */
export async function changeAddress(ctx: Context, { email, currentPassword }: AddressChange) {
  const user = await requireOwner(ctx, currentPassword);
  await changeOwn(ctx, user.id, { email });
  return { isPending: email !== user.email };
}

async function changeOwn(ctx: Context, id: string, change: { fullName?: string; email?: string }) {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id));
  if (!user) throw changedMeanwhile();
  const steps = await stepsOf(ctx, user, change);
  if (steps.length > 0) await writeSteps(ctx, user, steps);
}

/** Changes the person's own password, signs out every other browser, and returns the token of this one's new session. */
export async function changePassword(ctx: Context, { currentPassword, password }: PasswordChange) {
  refuseCommonPassword(password, requireUser(ctx));
  const user = await requireOwner(ctx, currentPassword);
  const passwordHash = await hashPassword(password);
  const stamp = randomToken();
  const session = await newSession(ctx, { id: user.id, stamp });
  const mail = await passwordChangedLetter(ctx, user);
  await limitUserMails(ctx, [mail]);
  await refusingUnless(changedMeanwhile, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "password_changed", email: user.email }, isUnchanged(user)),
      ctx.db
        .update(users)
        .set({ passwordHash, stamp, pendingEmail: null, updatedAt: ctx.now })
        .where(eq(users.id, user.id)),
      endSessions(ctx, user.id),
      session.statement,
      mail.statement,
    ]),
  );
  wake(ctx, mail.id);
  return session.token;
}

/** Whoever holds a session may not be its owner: the present password tells. Guesses are counted as at the login. */
async function requireOwner(ctx: Context, currentPassword: string) {
  const me = requireUser(ctx);
  const attempt = await countAttempt(ctx, { email: me.email, address: ctx.client.address });
  const [user] = await ctx.db.select().from(users).where(eq(users.id, me.id));
  if (!user || !(await passwordMatches(currentPassword, user.passwordHash))) {
    await eventRow(ctx, { kind: "password_refused", email: me.email });
    throw new AppError("invalid", "This is not your current password.", { field: "currentPassword" });
  }
  await forgive(ctx, attempt);
  return user;
}

const changedMeanwhile = () =>
  new AppError("conflict", "Your account was changed meanwhile. Please sign in again.");
