import { and, asc, desc, eq, gt, gte, lt, or, sql } from "drizzle-orm";
import { isAllowed, requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { ROLES } from "#worker/access/contract.ts";
import { isDoneBy } from "#worker/accounts/audit-log.ts";
import type {
  Account,
  Admin,
  SecondFactor,
  Session,
  SecurityEvent,
  SecurityEventQuery,
  SigningKeyState,
  FactorRules,
  UserDetails,
  UserSummary,
} from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { hasSecondFactor } from "#worker/accounts/factor-rules.ts";
import { userHandleOf } from "#worker/accounts/passkeys.ts";
import { allowedOn, isActor, rolesToGive } from "#worker/accounts/policy.ts";
import { listRecords, type SessionRecord } from "#worker/accounts/session-records.ts";
import { isEndedWithOthers, isOpenSession, isWholeSession } from "#worker/accounts/sessions.ts";
import {
  endedSessions,
  factorRules,
  passkeys,
  recoveryCodes,
  secondFactors,
  securityEvents,
  sessions,
  users,
} from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logAsNull } from "#worker/platform/log.ts";
import { readKeyAge } from "#worker/platform/http/signing-keys.ts";
import { foldText } from "#worker/platform/text/fold.ts";
import { olderThanId, pageOf, wholeList } from "#worker/platform/data/keyset.ts";
import { relyingParty } from "#worker/webauthn/ceremonies.ts";
import { passkeyOf } from "#worker/webauthn/columns.ts";
import type { PasskeyList } from "#worker/webauthn/contract.ts";
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
export async function readUser(ctx: Context, id: string): Promise<UserDetails> {
  requireCapability("users", ctx);
  const [found] = await ctx.db
    .select({ user: users, hasFactor: hasSecondFactor })
    .from(users)
    .where(eq(users.id, id));
  if (!found) throw noSuchUser();
  const isOther = !isActor(ctx, found.user) && requireUser(ctx).role === "super_admin";
  return { ...summaryOf(ctx, found.user), mayResetFactor: isOther && Boolean(found.hasFactor) };
}

const noSuchUser = () => new AppError("not_found", "There is no such user.");

/** @throws `not_found` */
export async function findUser({ db }: Context, id: string) {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (!user) throw noSuchUser();
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

/**
 * The signed-in user's browsers, the latest used first. A device that signed in within the last minute may be missing, and
 * all others if the list `isIncomplete`: KV does not answer.
 * @throws `unauthenticated`
 */
export async function listSessions(ctx: Context) {
  const me = requireUser(ctx);
  const [rows, ended, [user]] = await Promise.all([
    ctx.db
      .select({ session: sessions })
      .from(sessions)
      .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.stamp, sessions.stamp)))
      .where(and(eq(sessions.userId, me.id), isOpenSession(ctx))),
    ctx.db
      .select({ id: endedSessions.id })
      .from(endedSessions)
      .where(and(eq(endedSessions.userId, me.id), isWholeSession)),
    ctx.db.select().from(users).where(eq(users.id, me.id)),
  ]);
  const recorded = user && (await listRecords(ctx, user).catch(logAsNull("sessions: KV did not list")));
  const isEnded = (id: string, openedAt: number) =>
    ended.some((session) => session.id === id) ||
    !user ||
    isEndedWithOthers({ id, openedAt: new Date(openedAt) }, user);
  const devices = new Map<string, Omit<SessionRecord, "stamp">>();
  for (const { session } of rows)
    devices.set(session.id, {
      ...session,
      openedAt: session.createdAt.getTime(),
      seenAt: session.seenAt.getTime(),
    });
  for (const record of recorded ?? [])
    if (!isEnded(record.id, record.openedAt)) devices.set(record.id, record);
  // The record of the current session may be missing, and its use is stored after this answer.
  const current = devices.get(me.sessionId);
  const openedAt = me.session?.openedAt.getTime() ?? current?.openedAt;
  if (openedAt !== undefined)
    devices.set(me.sessionId, {
      id: me.sessionId,
      ...(current ?? ctx.client),
      openedAt,
      seenAt: ctx.now.getTime(),
    });
  const items = [...devices.values()]
    .map(({ id, userAgent, address, openedAt: createdAt, seenAt }): Session => {
      const device = deviceOf(userAgent);
      return { id, isCurrent: id === me.sessionId, device, address, createdAt, seenAt };
    })
    .toSorted(
      (one, other) =>
        Number(other.isCurrent) - Number(one.isCurrent) ||
        other.seenAt - one.seenAt ||
        other.createdAt - one.createdAt,
    );
  return { ...wholeList(items), isIncomplete: !recorded };
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

/** The signed-in user's second factor. @throws `unauthenticated` */
export async function readSecondFactor(ctx: Context): Promise<SecondFactor> {
  const { id } = requireUser(ctx);
  const [found] = await ctx.db
    .select({
      enabledAt: secondFactors.enabledAt,
      recoveryCodes: sql<number>`(select count(*) from ${recoveryCodes} where ${recoveryCodes.userId} = ${id})`,
    })
    .from(secondFactors)
    .where(eq(secondFactors.userId, id));
  if (!found?.enabledAt) return { enabledAt: null, recoveryCodes: 0 };
  return { enabledAt: found.enabledAt.getTime(), recoveryCodes: found.recoveryCodes };
}

/** The roles that need a second factor, and the grace of all of them. @throws `unauthenticated`, `forbidden` */
export async function readFactorRules(ctx: Context): Promise<FactorRules> {
  requireCapability("settings", ctx);
  const rules = await ctx.db.select().from(factorRules);
  const roles = ROLES.filter((role) => rules.some((rule) => rule.role === role));
  return { roles, graceDays: rules[0]?.graceDays ?? DEFAULT_GRACE };
}

const DEFAULT_GRACE = 14;

/**
 * The audit log, newest first; `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listSecurityEvents(ctx: Context, { before, ...filters }: SecurityEventQuery = {}) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select()
    .from(securityEvents)
    .where(and(isSought(filters), before === undefined ? undefined : olderThanId(before, securityEvents.id)))
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

/** @throws `unauthenticated`, `forbidden` */
export async function readSigningKey(ctx: Context): Promise<SigningKeyState> {
  requireCapability("settings", ctx);
  const since = await readKeyAge(ctx);
  return { since: since?.getTime() ?? null, mayReplace: isAllowed("keys", ctx) };
}

/** SQL: the events that a query asks for. */
export function isSought({ kind, user, since, until, q }: Omit<SecurityEventQuery, "before">) {
  const { email, by, address, userAgent, detail } = securityEvents;
  const words = [email, by, address, userAgent, detail].map(
    (column) => sql`instr(lower(coalesce(${column}, '')), ${q?.trim().toLowerCase()}) > 0`,
  );
  return and(
    kind && eq(securityEvents.kind, kind),
    user ? or(eq(email, user), isDoneBy(user)) : undefined,
    since === undefined ? undefined : gte(securityEvents.at, new Date(Number(since))),
    until === undefined ? undefined : lt(securityEvents.at, new Date(Number(until))),
    q?.trim() ? or(...words) : undefined,
  );
}

/**
 * The addresses by which the audit log can be filtered.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listLogUsers(ctx: Context) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select({ email: users.email })
    .from(users)
    .orderBy(users.email)
    .limit(MOST_CHOICES);
  return rows.map(({ email }) => email);
}

const MOST_CHOICES = 100;

/** SQL: whether this is a user's address or pending address. */
export const hasAccount = (email: string) =>
  sql<number>`exists (select 1 from ${users} where ${users.email} = ${email} or ${users.pendingEmail} = ${email})`;

/** "Firefox on Windows", from a User-Agent. */
export function deviceOf(userAgent: string) {
  if (!userAgent) return "Unknown device";
  const { browser, os } = parse(userAgent);
  return [browser.name || "A program", os.name].filter(Boolean).join(" on ");
}
