import { eq, sql } from "drizzle-orm";
import { EMAIL_TAKEN, type UserChange } from "#worker/accounts/contract.ts";
import { eventRow, refusingUnless, type NewEvent } from "#worker/accounts/events.ts";
import {
  addressLeavingLetter,
  newAddressLetter,
  passwordChangedLetter,
  welcomeLetter,
} from "#worker/accounts/letters.ts";
import { isUnchanged, type User } from "#worker/accounts/links.ts";
import { hashPassword, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import { leavesSuperAdmin } from "#worker/accounts/policy.ts";
import { limitUserMails } from "#worker/accounts/requests.ts";
import { endSessions } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { confirmationFor } from "#worker/accounts/waiting.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wake } from "#worker/platform/outbox.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { randomToken } from "#worker/platform/random.ts";

/** What there is to change, each with what follows from it. */
export async function stepsOf(ctx: Context, user: User, change: UserChange) {
  await refuseTaken(ctx, user, change.email);
  const steps = [
    renamed(user, change),
    await movedTo(ctx, user, change),
    roleChanged(user, change),
    stateChanged(user, change),
    await passwordSet(ctx, user, change),
  ];
  return steps.filter((step) => step !== undefined);
}

/** One thing that changes: columns, what the audit log says, and the mails that follow. */
export type Step = {
  set: Partial<User>;
  event: Omit<NewEvent, "email">;
  letters?: ((changed: User) => ReturnType<typeof welcomeLetter>)[];
  /** Ends the sessions and links made before. */
  ends?: true;
};

const renamed = (user: User, { fullName }: UserChange): Step | undefined =>
  fullName === undefined || fullName === user.fullName
    ? undefined
    : { set: { fullName }, event: { kind: "user_changed", detail: `name: ${user.fullName} → ${fullName}` } };

async function movedTo(ctx: Context, user: User, { email }: UserChange): Promise<Step | undefined> {
  if (email === undefined || email === (user.pendingEmail ?? user.email)) return undefined;
  const detail = `${user.email} → ${email}`;
  if (!user.emailVerified) {
    const letters = [(changed: User) => confirmationFor(ctx, changed)];
    return { set: { email }, event: { kind: "address_changed", detail }, letters, ends: true };
  }
  if (email === user.email) {
    return { set: { pendingEmail: null }, event: { kind: "user_changed", detail: `keeps ${email}` } };
  }
  const letters = [
    (changed: User) => newAddressLetter(ctx, { ...changed, pendingEmail: email }),
    (changed: User) => addressLeavingLetter(ctx, { ...changed, pendingEmail: email }),
  ];
  return { set: { pendingEmail: email }, event: { kind: "address_change_requested", detail }, letters };
}

/** Nobody is signed in yet as somebody who is only invited, and the link in their mail is to go on working. */
const roleChanged = (user: User, { role }: UserChange): Step | undefined =>
  role === undefined || role === user.role
    ? undefined
    : {
        set: { role },
        event: { kind: "role_changed", detail: `${user.role} → ${role}` },
        ...(user.emailVerified && { ends: true }),
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
  refuseCommonPassword(password, user);
  const letter = user.emailVerified ? passwordChangedLetter : welcomeLetter;
  // Somebody whose address changes too is written to there.
  const isMoved = !user.emailVerified && email !== undefined && email !== user.email;
  return {
    set: { passwordHash: await hashPassword(password) },
    event: { kind: "password_changed" },
    letters: isMoved ? [] : [(changed) => letter(ctx, changed)],
    ends: true,
  };
}

/** Writes all or nothing: not if the user was changed meanwhile, nor if no super admin would be left. */
export async function writeSteps(ctx: Context, user: User, steps: Step[]) {
  const ends = steps.some((step) => step.ends);
  const set: Partial<User> = Object.assign(
    { updatedAt: ctx.now, ...(ends && { stamp: randomToken() }) },
    ...steps.map((step) => step.set),
  );
  const changed = { ...user, ...set };
  const letters = steps.flatMap((step) => step.letters ?? []);
  const mails = await Promise.all(letters.map((letter) => letter(changed)));
  await limitUserMails(ctx, mails);
  const provided = sql`${isUnchanged(user)} and ${leavesSuperAdmin(user, changed)}`;
  await refusingTaken("users.email", EMAIL_TAKEN, () =>
    refusingUnless(changedMeanwhile, () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "user_changed", ...steps[0]?.event, email: user.email }, provided),
        ctx.db.update(users).set(set).where(eq(users.id, user.id)),
        ...steps.slice(1).map(({ event }) => eventRow(ctx, { ...event, email: user.email })),
        ...(ends ? [endSessions(ctx, user.id)] : []),
        ...mails.map(({ statement }) => statement),
      ]),
    ),
  );
  wake(ctx, ...mails.map(({ id }) => id));
}

export const changedMeanwhile = () =>
  new AppError(
    "conflict",
    "This user was changed meanwhile, or nobody would be left to look after the site. Reload to see.",
  );

/** Said before a mail goes to the address; the unique index says it again once the address is confirmed. */
async function refuseTaken({ db }: Context, user: User, email: string | undefined) {
  if (email === undefined || email === user.email) return;
  const [other] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (other) throw new AppError("conflict", EMAIL_TAKEN, { field: "email" });
}
