import { asc, eq, gt, sql } from "drizzle-orm";
import { EMAIL_TAKEN, type UserChange, type UserInput, type UserSummary } from "#worker/accounts/contract.ts";
import { eventRow, refusingUnless } from "#worker/accounts/events.ts";
import { invitationLetter, welcomeLetter } from "#worker/accounts/letters.ts";
import { isUnchanged, type User } from "#worker/accounts/links.ts";
import { hashPassword, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import {
  allowedOn,
  forbiddenRole,
  forbiddenUser,
  isActor,
  leavesSuperAdmin,
  refuseForbidden,
  rolesToGive,
} from "#worker/accounts/policy.ts";
import { limitUserMails } from "#worker/accounts/requests.ts";
import { users } from "#worker/accounts/table.ts";
import { changedMeanwhile, stepsOf, writeSteps } from "#worker/accounts/user-changes.ts";
import { confirmationFor } from "#worker/accounts/waiting.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wake } from "#worker/platform/outbox.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { randomToken } from "#worker/platform/random.ts";

const PAGE = 50;

/** By address. `after` is the id of the last user of the page before. `newRoles`: those that a new one may be given. */
export async function listUsers(ctx: Context, { after }: { after?: string } = {}) {
  requireCapability("users", ctx);
  // Of somebody who was deleted meanwhile there is nothing to go on from: the list begins anew.
  const mark = sql`coalesce((select u.email from ${users} u where u.id = ${after}), '')`;
  const rows = await ctx.db
    .select()
    .from(users)
    .where(after ? gt(users.email, mark) : undefined)
    .orderBy(asc(users.email))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE);
  return {
    users: page.map((user) => summaryOf(ctx, user)),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
    newRoles: rolesToGive(ctx.actor),
  };
}

export async function readUser(ctx: Context, id: string) {
  requireCapability("users", ctx);
  return summaryOf(ctx, await findUser(ctx, id));
}

/** Adds somebody. Without a password a mail invites them to choose one; with one it asks to confirm the address. */
export async function createUser(ctx: Context, { email, fullName, role, password }: UserInput) {
  requireCapability("users", ctx);
  if (!rolesToGive(ctx.actor).includes(role)) throw forbiddenRole();
  if (password !== undefined) refuseCommonPassword(password, { email });
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
    passwordResetAttempts: 0,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const mail = await (password === undefined ? invitationLetter(ctx, user) : welcomeLetter(ctx, user));
  const kind = password === undefined ? "user_invited" : "user_created";
  await limitUserMails(ctx, [mail]);
  await refusingTaken("users.email", EMAIL_TAKEN, () =>
    ctx.db.batch([
      ctx.db.insert(users).values(user),
      eventRow(ctx, { kind, email, detail: role }),
      mail.statement,
    ]),
  );
  wake(ctx, mail.id);
  return summaryOf(ctx, user);
}

/**
 * Changes what is given. Whoever's password, role or state changes is signed out everywhere; a confirmed address stays
 * until the new one is confirmed too.
 */
export async function changeUser(ctx: Context, id: string, change: UserChange) {
  requireCapability("users", ctx);
  const user = await findUser(ctx, id);
  refuseForbidden(ctx, user, change);
  const steps = await stepsOf(ctx, user, change);
  if (steps.length > 0) await writeSteps(ctx, user, steps);
  return readUser(ctx, id);
}

export async function deleteUser(ctx: Context, id: string) {
  requireCapability("users", ctx);
  const user = await findUser(ctx, id);
  if (!allowedOn(ctx.actor, user).remove) throw forbiddenUser(ctx, user);
  const provided = sql`${isUnchanged(user)} and ${leavesSuperAdmin(user, null)}`;
  await refusingUnless(changedMeanwhile, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "user_deleted", email: user.email, detail: user.role }, provided),
      // Sessions go with the user.
      ctx.db.delete(users).where(eq(users.id, id)),
    ]),
  );
}

/** Sends the mail again that somebody waits for: invited, unconfirmed, or with a new address. */
export async function inviteAgain(ctx: Context, id: string) {
  requireCapability("users", ctx);
  const user = await findUser(ctx, id);
  if (!allowedOn(ctx.actor, user).edit) throw forbiddenUser(ctx, user);
  const { pendingEmail } = user;
  if (user.emailVerified && pendingEmail === null) {
    throw new AppError("conflict", "This address is confirmed already.");
  }
  const mail = await confirmationFor(ctx, user);
  await limitUserMails(ctx, [mail]);
  await ctx.db.batch([eventRow(ctx, { kind: "user_invited", email: user.email }), mail.statement]);
  wake(ctx, mail.id);
}

const notFound = () => new AppError("not_found", "There is no such user.");

async function findUser({ db }: Context, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (!user) throw notFound();
  return user;
}

function summaryOf(ctx: Context, user: User): UserSummary {
  const { id, email, fullName, role, pendingEmail, createdAt, lastSeenAt } = user;
  return {
    id,
    email,
    fullName,
    role,
    state: stateOf(user),
    pendingEmail,
    createdAt: createdAt.getTime(),
    lastSeenAt: lastSeenAt?.getTime() ?? null,
    isYou: isActor(ctx, user),
    allowed: allowedOn(ctx.actor, user),
  };
}

function stateOf({ isActive, emailVerified, passwordHash }: User): UserSummary["state"] {
  if (!isActive) return "disabled";
  if (emailVerified) return "active";
  return passwordHash === null ? "invited" : "unverified";
}
