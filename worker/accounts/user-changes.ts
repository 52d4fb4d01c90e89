import { eq, sql } from "drizzle-orm";
import { isAllowed } from "#worker/access/capabilities.ts";
import { EMAIL_TAKEN, type UserChange } from "#worker/accounts/contract.ts";
import { eventRow, throwUnless, type NewEvent } from "#worker/accounts/audit-log.ts";
import {
  addressLeavingEmail,
  newAddressEmail,
  passwordRecoveredEmail,
  roleChangedEmail,
  takenAddressEmail,
  welcomeEmail,
} from "#worker/accounts/emails.ts";
import { isUnchanged, type User } from "#worker/accounts/account-links.ts";
import { deletePasskeysOf } from "#worker/accounts/passkeys.ts";
import { deleteTokensOf } from "#worker/accounts/tokens.ts";
import { hashPassword, rejectWeakPassword } from "#worker/accounts/passwords.ts";
import { accountEndedRows } from "#worker/accounts/notices.ts";
import { isActor, leavesSuperAdmin } from "#worker/accounts/policy.ts";
import { limitUserMails } from "#worker/accounts/request-commands.ts";
import { deleteSessionsOf } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { confirmationEmail } from "#worker/accounts/pending.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { laterThan, refusingTaken } from "#worker/platform/data/publishing.ts";
import { randomToken } from "#worker/platform/data/random.ts";

/** The steps of a change, each with its consequences. */
export async function stepsOf(ctx: Context, user: User, change: UserChange) {
  const isTaken = await isTakenEmail(ctx, user, change.email);
  if (isTaken && isAllowed("users", ctx)) throw new AppError("conflict", EMAIL_TAKEN, { field: "email" });
  const steps = [
    renamed(user, change),
    await movedTo(ctx, user, { ...change, isTaken }),
    roleChanged(ctx, user, change),
    stateChanged(user, change),
    await passwordSet(ctx, user, change),
  ];
  return steps.filter((step) => step !== undefined);
}

/** One step of a change: its columns, its audit log event, and its emails. */
export type Step = {
  set: Partial<User>;
  event: Omit<NewEvent, "email">;
  emails?: ((changed: User) => ReturnType<typeof welcomeEmail>)[];
  /** Invalidates earlier sessions and links, and drops a pending change of address. */
  ends?: true;
  /** Deletes the passkeys and tokens, one of which may be a stranger's. */
  endsPasskeys?: boolean;
};

const renamed = (user: User, { fullName }: UserChange): Step | undefined =>
  fullName === undefined || fullName === user.fullName
    ? undefined
    : { set: { fullName }, event: { kind: "user_changed", detail: `name: ${user.fullName} → ${fullName}` } };

/**
 * A user who may not see the list of users must not learn that an address is taken: the change stays pending as for a
 * free one, but the mailbox gets a notice instead of a link.
 */
async function movedTo(
  ctx: Context,
  user: User,
  { email, isTaken }: UserChange & { isTaken: boolean },
): Promise<Step | undefined> {
  if (email === undefined || email === (user.pendingEmail ?? user.email)) return undefined;
  const detail = `${user.email} → ${email}`;
  const isByAdmin = !isActor(ctx, user);
  if (!user.emailVerified) {
    const emails = [(changed: User) => confirmationEmail(ctx, changed)];
    return {
      set: { email },
      event: { kind: "address_changed", detail },
      emails,
      ends: true,
      endsPasskeys: isByAdmin,
    };
  }
  if (email === user.email) {
    return { set: { pendingEmail: null }, event: { kind: "user_changed", detail: `keeps ${email}` } };
  }
  const write = isTaken ? takenAddressEmail : newAddressEmail;
  const emails = [
    (changed: User) => write(ctx, { ...changed, pendingEmail: email }),
    (changed: User) => addressLeavingEmail(ctx, { ...changed, pendingEmail: email }, { isByAdmin }),
  ];
  const event = { kind: "address_change_requested", detail } as const;
  return { set: { pendingEmail: email }, event, emails, endsPasskeys: isByAdmin };
}

/** An invited user has no session yet, and their link must stay valid. */
const roleChanged = (ctx: Context, user: User, { role }: UserChange): Step | undefined =>
  role === undefined || role === user.role
    ? undefined
    : {
        set: { role },
        event: { kind: "role_changed", detail: `${user.role} → ${role}` },
        ...(user.emailVerified && {
          ends: true,
          emails: [(changed: User) => roleChangedEmail(ctx, changed)],
        }),
      };

const stateChanged = (user: User, { isActive }: UserChange): Step | undefined =>
  isActive === undefined || isActive === user.isActive
    ? undefined
    : { set: { isActive }, event: { kind: isActive ? "user_enabled" : "user_disabled" }, ends: true };

async function passwordSet(
  ctx: Context,
  user: User,
  { password, email }: UserChange,
): Promise<Step | undefined> {
  if (password === undefined) return undefined;
  await rejectWeakPassword(ctx, password, user);
  const write = user.emailVerified ? passwordRecoveredEmail : welcomeEmail;
  // A changed address already gets its own email.
  const isMoved = !user.emailVerified && email !== undefined && email !== user.email;
  return {
    set: { passwordHash: await hashPassword(password) },
    event: { kind: "password_changed" },
    emails: isMoved ? [] : [(changed) => write(ctx, changed)],
    ends: true,
    endsPasskeys: true,
  };
}

/**
 * Writes all steps or none: none if the user changed concurrently, or if no super admin would remain. Returns the user
 * as written.
 */
export async function writeSteps(ctx: Context, user: User, steps: Step[]): Promise<User> {
  if (steps.length === 0) return user;
  const ends = steps.some((step) => step.ends);
  const endsPasskeys = steps.some((step) => step.endsPasskeys);
  const set: Partial<User> = Object.assign(
    {
      updatedAt: laterThan(user.updatedAt, ctx.now),
      ...(ends && { stamp: randomToken(), pendingEmail: null }),
    },
    // A step may override the pending address.
    ...steps.map((step) => step.set),
  );
  const changed = { ...user, ...set };
  const emails = steps.flatMap((step) => step.emails ?? []);
  const limited = await Promise.all(emails.map((email) => email(changed)));
  await limitUserMails(ctx, limited);
  const isSwitchedOff = user.isActive && !changed.isActive;
  const mails = [...limited, ...(isSwitchedOff ? await accountEndedRows(ctx, user, "switched off") : [])];
  const isRead = sql`exists (select 1 from ${users} where ${users.id} = ${user.id}
    and ${users.updatedAt} = ${user.updatedAt.getTime()})`;
  const provided = sql`${isRead} and ${isUnchanged(user)} and ${leavesSuperAdmin(user, changed)}`;
  await refusingTaken("users.email", EMAIL_TAKEN, () =>
    throwUnless(
      () => notWritten(ctx, user, changed),
      () =>
        ctx.db.batch([
          eventRow(ctx, { kind: "user_changed", ...steps[0]?.event, email: user.email }, provided),
          ctx.db.update(users).set(set).where(eq(users.id, user.id)),
          ...steps.slice(1).map(({ event }) => eventRow(ctx, { ...event, email: user.email })),
          ...(ends ? [deleteSessionsOf(ctx, user.id)] : []),
          ...(endsPasskeys ? [deletePasskeysOf(ctx, user.id), deleteTokensOf(ctx, user.id)] : []),
          ...mails.map(({ statement }) => statement),
        ]),
    ),
  );
  enqueue(ctx, ...mails.map(({ id }) => id));
  return changed;
}

export const changedElsewhere = () =>
  new AppError("conflict", "This user was changed elsewhere since you opened their details.");

/** The reason why a user could not become `after`; null means deleted. */
export async function notWritten({ db }: Context, user: User, after: User | null) {
  const { isLeft } = await db.get<{ isLeft: number }>(sql`select ${leavesSuperAdmin(user, after)} as isLeft`);
  if (isLeft) return new AppError("conflict", "This user has changed. Reload to see the changes.");
  // With a field, since a newer version can be overwritten and this cannot.
  const field = after === null ? undefined : after.role === user.role ? "isActive" : "role";
  return new AppError("conflict", LAST_SUPER_ADMIN, { field });
}

const LAST_SUPER_ADMIN = "This is the site’s only super admin who can sign in. Add another one first.";

/** Checked before an email goes to the address; the unique index decides once the address is confirmed. */
async function isTakenEmail({ db }: Context, user: User, email: string | undefined) {
  if (email === undefined || email === user.email || email === user.pendingEmail) return false;
  const [other] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return other !== undefined;
}
