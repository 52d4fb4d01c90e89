import { asc, eq, gt, sql, type SQL } from "drizzle-orm";
import {
  EMAIL_TAKEN,
  type Allowed,
  type UserChange,
  type UserInput,
  type UserSummary,
} from "#worker/accounts/contract.ts";
import { eventRow, refusingUnless, type NewEvent } from "#worker/accounts/events.ts";
import {
  addressLeavingLetter,
  invitationLetter,
  newAddressLetter,
  passwordChangedLetter,
  welcomeLetter,
} from "#worker/accounts/letters.ts";
import { isUnchanged, type User } from "#worker/accounts/links.ts";
import { hashPassword, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import { limitMails } from "#worker/accounts/requests.ts";
import { endSessions } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import { confirmationFor } from "#worker/accounts/waiting.ts";
import { requireCapability, type Actor, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wake } from "#worker/platform/outbox.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { randomToken } from "#worker/platform/random.ts";
import { ROLES, type Role } from "#worker/platform/contract.ts";

const PAGE = 50;

/** By address. `after` is the id of the last user of the page before. `newRoles`: those that a new one may be given. */
export async function listUsers(ctx: Context, { after }: { after?: string } = {}) {
  requireCapability("users", ctx);
  const mark = sql`(select u.email from ${users} u where u.id = ${after})`;
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
  await refuseTaken(ctx, user, change.email);
  const steps = [
    renamed(user, change),
    await movedTo(ctx, user, change),
    roleChanged(user, change),
    stateChanged(user, change),
    await passwordSet(ctx, user, change),
  ].filter((step) => step !== undefined);
  if (steps.length > 0) await writeChange(ctx, user, steps);
  return readUser(ctx, id);
}

/** One thing that changes: columns, what the audit log says, and the mails that follow. */
type Step = {
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
    await limitMails(ctx, email);
    const letters = [(changed: User) => confirmationFor(ctx, changed)];
    return { set: { email }, event: { kind: "address_changed", detail }, letters, ends: true };
  }
  if (email === user.email) {
    return { set: { pendingEmail: null }, event: { kind: "user_changed", detail: `keeps ${email}` } };
  }
  await limitMails(ctx, email);
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

async function passwordSet(ctx: Context, user: User, { password }: UserChange): Promise<Step | undefined> {
  if (password === undefined) return undefined;
  refuseCommonPassword(password, user);
  const letter = user.emailVerified ? passwordChangedLetter : welcomeLetter;
  return {
    set: { passwordHash: await hashPassword(password) },
    event: { kind: "password_changed" },
    letters: [(changed) => letter(ctx, changed)],
    ends: true,
  };
}

/** Writes all or nothing: not if the user was changed meanwhile, nor if no super admin would be left. */
async function writeChange(ctx: Context, user: User, steps: Step[]) {
  const ends = steps.some((step) => step.ends);
  const set: Partial<User> = Object.assign(
    { updatedAt: ctx.now, ...(ends && { stamp: randomToken() }) },
    ...steps.map((step) => step.set),
  );
  const changed = { ...user, ...set };
  const letters = steps.flatMap((step) => step.letters ?? []);
  const mails = await Promise.all(letters.map((letter) => letter(changed)));
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
  await limitMails(ctx, pendingEmail ?? user.email);
  const mail = await (pendingEmail === null
    ? confirmationFor(ctx, user)
    : newAddressLetter(ctx, { ...user, pendingEmail }));
  await ctx.db.batch([eventRow(ctx, { kind: "user_invited", email: user.email }), mail.statement]);
  wake(ctx, mail.id);
}

/**
 * What somebody may do with a user. Admins look after editors and users; only super admins look after admins, and give
 * or take those two roles. Nobody disables or deletes themselves, or changes their own role.
 */
function allowedOn(actor: Actor, user: Pick<User, "id" | "role">): Allowed {
  if (actor.kind === "user" && actor.id === user.id) {
    return { edit: true, roles: [user.role], disable: false, remove: false };
  }
  const roles = rolesToGive(actor);
  return roles.includes(user.role)
    ? { edit: true, roles, disable: true, remove: true }
    : { edit: false, roles: [user.role], disable: false, remove: false };
}

/** Which roles somebody may give to others. */
function rolesToGive(actor: Actor): Role[] {
  if (actor.kind === "job" || (actor.kind === "user" && actor.role === "super_admin")) return [...ROLES];
  return actor.kind === "user" && actor.role === "admin" ? ["editor", "user"] : [];
}

function refuseForbidden(ctx: Context, user: User, { role, isActive, password }: UserChange) {
  const allowed = allowedOn(ctx.actor, user);
  if (!allowed.edit) throw forbiddenUser(ctx, user);
  if (role !== undefined && !allowed.roles.includes(role)) throw forbiddenRole();
  if (isActive === false && !allowed.disable) throw forbiddenUser(ctx, user);
  if (password !== undefined && isActor(ctx, user)) {
    throw new AppError("forbidden", "Change your own password under Your account.", { field: "password" });
  }
}

const isActor = ({ actor }: Context, { id }: Pick<User, "id">) => actor.kind === "user" && actor.id === id;

const forbiddenUser = (ctx: Context, user: User) =>
  new AppError(
    "forbidden",
    isActor(ctx, user)
      ? "You cannot disable or delete yourself."
      : "Only a super admin may change this user.",
  );

const forbiddenRole = () => new AppError("forbidden", "You may not give this role.", { field: "role" });

const notFound = () => new AppError("not_found", "There is no such user.");

const changedMeanwhile = () =>
  new AppError(
    "conflict",
    "This user was changed meanwhile, or nobody would be left to look after the site. Reload to see.",
  );

/** SQL: whether there is a super admin who can sign in once this user is as `after` says; null is deleted. */
function leavesSuperAdmin(before: User, after: User | null): SQL {
  const reigns = (user: User) => user.role === "super_admin" && user.isActive && user.emailVerified;
  if (!reigns(before) || (after !== null && reigns(after))) return sql`true`;
  return sql`exists (select 1 from ${users} where ${users.id} <> ${before.id}
    and ${users.role} = 'super_admin' and ${users.isActive} and ${users.emailVerified})`;
}

async function findUser({ db }: Context, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (!user) throw notFound();
  return user;
}

/** Said before a mail goes to the address; the unique index says it again once the address is confirmed. */
async function refuseTaken({ db }: Context, user: User, email: string | undefined) {
  if (email === undefined || email === user.email) return;
  const [other] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (other) throw new AppError("conflict", EMAIL_TAKEN, { field: "email" });
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
