import { eq, sql } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { EMAIL_TAKEN, UserChange, UserInput } from "#worker/accounts/contract.ts";
import { invitationEmail, welcomeEmail } from "#worker/accounts/emails.ts";
import { isUnchanged, type User } from "#worker/accounts/account-links.ts";
import { hashPassword, rejectWeakPassword } from "#worker/accounts/passwords.ts";
import { confirmationEmail } from "#worker/accounts/pending.ts";
import { accountEndedRows } from "#worker/accounts/notices.ts";
import {
  allowedOn,
  forbiddenRole,
  forbiddenUser,
  leavesSuperAdmin,
  requireAllowed,
  rolesToGive,
} from "#worker/accounts/policy.ts";
import { findUser, summaryOf } from "#worker/accounts/queries.ts";
import { limitUserMails } from "#worker/accounts/request-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { changedElsewhere, notWritten, stepsOf, writeSteps } from "#worker/accounts/user-changes.ts";
import { deleteRecordsOf, NOT_DELETED } from "#worker/accounts/session-records.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";

/**
 * Adds a user. Without a password an email invites them to choose one; with one it asks to confirm the address.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`, also for a common password; `conflict` for an address that is taken; `too_many` emails
 */
export async function createUser(ctx: Context, input: UserInput) {
  requireCapability("users", ctx);
  const { email, fullName, role, password } = parseInput(UserInput, input);
  if (!rolesToGive(ctx.actor).includes(role)) throw forbiddenRole();
  requireRecentProof(ctx);
  if (password !== undefined) await rejectWeakPassword(ctx, password, { email, fullName });
  const user: User = {
    id: crypto.randomUUID(),
    email,
    fullName,
    role,
    passwordHash: password === undefined ? null : await hashPassword(password),
    isActive: true,
    emailVerified: false,
    stamp: randomToken(),
    pendingEmail: null,
    lastSeenAt: null,
    othersEndedAt: null,
    remainingSession: null,
    passwordResetAttempts: 0,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const mail = await (password === undefined ? invitationEmail(ctx, user) : welcomeEmail(ctx, user));
  const kind = password === undefined ? "user_invited" : "user_created";
  await limitUserMails(ctx, [mail]);
  await refusingTaken("users.email", EMAIL_TAKEN, () =>
    ctx.db.batch([
      ctx.db.insert(users).values(user),
      eventRow(ctx, { kind, email, detail: role }),
      mail.statement,
    ]),
  );
  enqueue(ctx, mail.id);
  return summaryOf(ctx, user);
}

/**
 * Changes the given fields. A new password, role or state signs the user out everywhere and drops a pending address; a
 * confirmed address stays until the new one is confirmed. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `reauthentication_required` for more than a new name; `invalid`;
 * `not_found`; `conflict` for an address that is taken, a change since `basedOn` or a concurrent one, or the last super admin; `too_many` emails
 */
export async function updateUser(ctx: Context, id: string, input: UserChange) {
  requireCapability("users", ctx);
  const { basedOn, ...change } = parseInput(UserChange, input);
  const user = await findUser(ctx, id);
  requireAllowed(ctx, user, change);
  if (givesAccess(user, change)) requireRecentProof(ctx);
  // A password always counts as a change, so that the answer does not reveal whether it was the same.
  const stored = { ...user, email: user.pendingEmail ?? user.email };
  if (isRepeated({ basedOn, stored, given: () => change, changedElsewhere })) return summaryOf(ctx, user);
  return summaryOf(ctx, await writeSteps(ctx, user, await stepsOf(ctx, user, change)));
}

/** Whether the change could let someone else in, or in again, or concerns a super admin. */
const givesAccess = (user: User, { role, email, password, isActive }: UserChange) =>
  user.role === "super_admin" ||
  password !== undefined ||
  (role !== undefined && role !== user.role) ||
  (email !== undefined && email !== (user.pendingEmail ?? user.email)) ||
  (isActive !== undefined && isActive !== user.isActive);

/**
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`; `conflict` for a concurrent change, or
 * the last super admin
 */
export async function deleteUser(ctx: Context, id: string) {
  requireCapability("users", ctx);
  const user = await findUser(ctx, id);
  if (!allowedOn(ctx.actor, user).remove) throw forbiddenUser(ctx, user);
  requireRecentProof(ctx);
  const provided = sql`${isUnchanged(user)} and ${leavesSuperAdmin(user, null)}`;
  const notices = await accountEndedRows(ctx, user, "deleted");
  await throwUnless(
    () => notWritten(ctx, user, null),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "user_deleted", email: user.email, detail: user.role }, provided),
        // Sessions, passkeys and tokens cascade.
        ctx.db.delete(users).where(eq(users.id, id)),
        ...notices.map(({ statement }) => statement),
      ]),
  );
  enqueue(ctx, ...notices.map(({ id: row }) => row));
  await afterWrite(NOT_DELETED, deleteRecordsOf(ctx, id));
}

/**
 * Sends the email of a pending verification again: to an invited or unconfirmed user, or to a new address.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for a confirmed address; `too_many` emails
 */
export async function resendInvitation(ctx: Context, id: string) {
  requireCapability("users", ctx);
  const user = await findUser(ctx, id);
  if (!allowedOn(ctx.actor, user).edit) throw forbiddenUser(ctx, user);
  const { pendingEmail } = user;
  if (user.emailVerified && pendingEmail === null) {
    throw new AppError("conflict", "This address is already confirmed.");
  }
  const mail = await confirmationEmail(ctx, user);
  await limitUserMails(ctx, [mail]);
  await ctx.db.batch([eventRow(ctx, { kind: "user_invited", email: user.email }), mail.statement]);
  enqueue(ctx, mail.id);
  return summaryOf(ctx, user);
}
