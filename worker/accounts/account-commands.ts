import { eq } from "drizzle-orm";
import { requireUser } from "#worker/access/capabilities.ts";
import { countAttempt, recordFailure, recordSuccess } from "#worker/accounts/attempts.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { AccountChange, AddressChange, PasswordChange } from "#worker/accounts/contract.ts";
import { passwordChangedEmail } from "#worker/accounts/emails.ts";
import { isUnchanged } from "#worker/accounts/account-links.ts";
import { hashPassword, passwordMatches, rejectWeakPassword } from "#worker/accounts/passwords.ts";
import { accountOf } from "#worker/accounts/queries.ts";
import { limitRenames, limitUserMails } from "#worker/accounts/request-commands.ts";
import { deleteSessionsOf, newSession } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { stepsOf, writeSteps } from "#worker/accounts/user-changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { randomToken } from "#worker/platform/data/random.ts";

/** The user's own account: needs no capability. */

/** @throws `unauthenticated`; `invalid`; `conflict` for a concurrent change; `too_many` */
export async function updateAccount(ctx: Context, input: AccountChange) {
  const me = requireUser(ctx);
  const change = parseInput(AccountChange, input);
  if (change.fullName !== me.fullName) await limitRenames(ctx, me);
  return changeOwn(ctx, me.id, change);
}

/**
 * Sends a confirmation to a new address, which then replaces the current one. Entering the current address cancels the
 * change.
 * @throws `unauthenticated`; `invalid`, also for a wrong password; `conflict` for a taken address, if the user may see
 * the list of users; `too_many`
 */
export async function changeAddress(ctx: Context, input: AddressChange) {
  requireUser(ctx);
  const { email, currentPassword } = parseInput(AddressChange, input);
  const user = await requireCurrentPassword(ctx, currentPassword);
  return changeOwn(ctx, user.id, { email });
}

async function changeOwn(ctx: Context, id: string, change: { fullName?: string; email?: string }) {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id));
  if (!user) throw changedMeanwhile();
  return accountOf(ctx, await writeSteps(ctx, user, await stepsOf(ctx, user, change)));
}

/**
 * Changes the user's own password, signs out every other browser, and returns the account and the token of this
 * browser's new session.
 * @throws `unauthenticated`; `invalid`, also for a common or a wrong password; `conflict`; `too_many`
 */
export async function changePassword(ctx: Context, input: PasswordChange) {
  const me = requireUser(ctx);
  const { currentPassword, password } = parseInput(PasswordChange, input);
  await rejectWeakPassword(ctx, password, me);
  const user = await requireCurrentPassword(ctx, currentPassword);
  const passwordHash = await hashPassword(password);
  const stamp = randomToken();
  const provedFactor = me.session?.provedFactor ?? false;
  const token = await newSession(ctx, { id: user.id, stamp, provedFactor });
  const mail = await passwordChangedEmail(ctx, { ...user, stamp });
  await limitUserMails(ctx, [mail]);
  await throwUnless(changedMeanwhile, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "password_changed", email: user.email }, isUnchanged(user)),
      ctx.db
        .update(users)
        .set({ passwordHash, stamp, pendingEmail: null, updatedAt: ctx.now })
        .where(eq(users.id, user.id)),
      deleteSessionsOf(ctx, user.id),
      mail.statement,
    ]),
  );
  enqueue(ctx, mail.id);
  return { token, account: accountOf(ctx, { ...user, pendingEmail: null }) };
}

/** Asks for the current password, since a session may be stolen. Failed guesses count as at the login. */
export async function requireCurrentPassword(ctx: Context, currentPassword: string) {
  const me = requireUser(ctx);
  const attempt = await countAttempt(ctx, { email: me.email, address: ctx.client.address });
  const [user] = await ctx.db.select().from(users).where(eq(users.id, me.id));
  if (!user || !(await passwordMatches(currentPassword, user.passwordHash))) {
    const event = { kind: "password_refused", email: me.email } as const;
    await ctx.db.batch([recordFailure(ctx, attempt), eventRow(ctx, event)]);
    throw new AppError("invalid", "This isn’t your current password.", { field: "currentPassword" });
  }
  await recordSuccess(ctx, attempt);
  return user;
}

const changedMeanwhile = () => new AppError("conflict", "Your account has changed. Please sign in again.");
