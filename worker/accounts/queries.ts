import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import type {
  Account,
  Admin,
  Passkey,
  PasskeyList,
  Session,
  SecurityEvent,
  UserSummary,
} from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { relyingParty, userHandleOf } from "#worker/accounts/passkeys.ts";
import { allowedOn, isActor, rolesToGive } from "#worker/accounts/policy.ts";
import { isOpenSession } from "#worker/accounts/sessions.ts";
import { passkeys, securityEvents, sessions, users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { foldText } from "#worker/platform/text/fold.ts";
import { olderThanId, pageOf, wholeList } from "#worker/platform/data/keyset.ts";
import { parse } from "bowser";

const PAGE = 50;

/** The signed-in user. @throws `unauthenticated` */
export function readSession(ctx: Context): Admin {
  const { id, email, fullName, role } = requireUser(ctx);
  return { id, email, fullName, role };
}

/**
 * Users by address; `after` is the previous page's `next`. `newRoles`: those that a new user may be given.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listUsers(ctx: Context, { after = "" }: { after?: string } = {}) {
  requireCapability("users", ctx);
  const rows = await ctx.db
    .select()
    .from(users)
    .where(gt(users.email, after))
    .orderBy(asc(users.email))
    .limit(PAGE + 1);
  const summaries = rows.map((user) => summaryOf(ctx, user));
  return { ...pageOf(summaries, PAGE, ({ email }) => email), newRoles: rolesToGive(ctx.actor) };
}

/** Users that a search examines: a site has a handful. */
const SEARCHED_USERS = 100;

/**
 * Users whose name or address contains the words.
 * @throws `unauthenticated`, `forbidden`
 */
export async function findUsers(ctx: Context, words: string, limit: number) {
  requireCapability("users", ctx);
  const known = ctx.db
    .select({ id: users.id, email: users.email, fullName: users.fullName })
    .from(users)
    .orderBy(asc(users.email))
    .limit(SEARCHED_USERS);
  const part = foldText(words);
  return (await known)
    .filter(({ email, fullName }) => foldText(fullName).includes(part) || foldText(email).includes(part))
    .slice(0, limit);
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function readUser(ctx: Context, id: string) {
  requireCapability("users", ctx);
  return summaryOf(ctx, await findUser(ctx, id));
}

/** @throws `not_found` */
export async function findUser({ db }: Context, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (!user) throw new AppError("not_found", "There is no such user.");
  return user;
}

/** A user as the signed-in user sees them. */
export function summaryOf(ctx: Context, user: User): UserSummary {
  const { id, email, fullName, role, pendingEmail, createdAt, updatedAt } = user;
  const isYou = isActor(ctx, user);
  // The signed-in user's own visit is stored after this answer.
  const lastSeenAt = isYou ? ctx.now : user.lastSeenAt;
  return {
    id,
    email,
    fullName,
    role,
    state: stateOf(user),
    pendingEmail,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
    lastSeenAt: lastSeenAt?.getTime() ?? null,
    isYou,
    allowed: allowedOn(ctx.actor, user),
  };
}

function stateOf({ isActive, emailVerified, passwordHash }: User): UserSummary["state"] {
  if (!isActive) return "disabled";
  if (emailVerified) return "active";
  return passwordHash === null ? "invited" : "unverified";
}

/** The user's own account, for any role. @throws `unauthenticated` */
export async function readAccount(ctx: Context): Promise<Account> {
  const { id, fullName } = requireUser(ctx);
  const [user] = await ctx.db
    .select({ fullName: users.fullName, pendingEmail: users.pendingEmail })
    .from(users)
    .where(eq(users.id, id));
  return accountOf(ctx, user ?? { fullName, pendingEmail: null });
}

export function accountOf(
  ctx: Context,
  { fullName, pendingEmail }: Pick<User, "fullName" | "pendingEmail">,
): Account {
  const { id, email, role } = requireUser(ctx);
  return { id, email, fullName, role, pendingEmail };
}

/** The signed-in user's browsers, the latest used first. @throws `unauthenticated` */
export async function listSessions(ctx: Context) {
  const me = requireUser(ctx);
  const rows = await ctx.db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.stamp, sessions.stamp)))
    .where(and(eq(sessions.userId, me.id), isOpenSession(ctx)))
    .orderBy(desc(eq(sessions.id, me.sessionId)), desc(sessions.seenAt), desc(sessions.createdAt));
  return wholeList(
    rows.map(({ session: { id, userAgent, address, createdAt, seenAt } }): Session => {
      const isCurrent = id === me.sessionId;
      return {
        id,
        isCurrent,
        device: deviceOf(userAgent),
        address,
        createdAt: createdAt.getTime(),
        // The current session's use is stored after this answer.
        seenAt: (isCurrent ? ctx.now : seenAt).getTime(),
      };
    }),
  );
}

/** The signed-in user's passkeys, in the order in which they were added. @throws `unauthenticated` */
export async function listPasskeys(ctx: Context): Promise<PasskeyList> {
  const me = requireUser(ctx);
  const own = await ctx.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, me.id))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  return {
    items: own.map(passkeyOf),
    rpId: relyingParty(ctx).rpId,
    userHandle: userHandleOf(me),
  };
}

export const passkeyOf = ({
  id,
  credentialId,
  name,
  createdAt,
  lastUsedAt,
}: typeof passkeys.$inferSelect): Passkey => ({
  id,
  credentialId,
  name,
  createdAt: createdAt.getTime(),
  lastUsedAt: lastUsedAt?.getTime() ?? null,
});

/**
 * The audit log, newest first; `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listSecurityEvents(ctx: Context, { before }: { before?: string } = {}) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select()
    .from(securityEvents)
    .where(before === undefined ? undefined : olderThanId(before, securityEvents.id))
    .orderBy(desc(securityEvents.id))
    .limit(PAGE + 1);
  const events = rows.map(({ id, at, userAgent, ...event }): SecurityEvent => ({
    ...event,
    id: String(id),
    at: at.getTime(),
    device: deviceOf(userAgent),
  }));
  return pageOf(events, PAGE, ({ id }) => id);
}

/** SQL: whether this is a user's address or pending address. */
export const hasAccount = (email: string) =>
  sql<number>`exists (select 1 from ${users} where ${users.email} = ${email} or ${users.pendingEmail} = ${email})`;

/** "Firefox on Windows", from a User-Agent. */
export function deviceOf(userAgent: string) {
  if (!userAgent) return "Unknown device";
  const { browser, os } = parse(userAgent);
  return [browser.name || "A program", os.name].filter(Boolean).join(" on ");
}
