import { and, eq, lte, or, sql, type SQL } from "drizzle-orm";
import { requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import {
  clearCount,
  countAttempt,
  hasFailedOften,
  makeKnown,
  NOT_KNOWN,
  recordFailure,
} from "#worker/accounts/attempts.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import {
  LoginInput,
  PASSKEY_NEEDED,
  ROBOT_CHECK,
  SIGN_IN_EXPIRED,
  WRONG_CREDENTIALS,
  type Admin,
  type SignInAnswer,
} from "#worker/accounts/contract.ts";
import { sendNotice } from "#worker/accounts/notices.ts";
import { deviceOf } from "#worker/accounts/queries.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { hashPassword, needsRehash, passwordMatches } from "#worker/accounts/passwords.ts";
import { refusalRows } from "#worker/accounts/refusals.ts";
import { hangsOnPasskey } from "#worker/accounts/factor-rules.ts";
import { hasApp, signHalfSignIn } from "#worker/accounts/second-factor.ts";
import { deleteRecord, findRecord, NOT_DELETED } from "#worker/accounts/session-records.ts";
import { decodeSessionToken, MAX_IDLE_MS, MAX_SESSION_MS } from "#worker/accounts/session-token.ts";
import {
  ago,
  endFormerTokens,
  endOtherSessions,
  endSession,
  isWholeSession,
  lastSeenUpdate,
  newSession,
  sessionWithoutCopies,
} from "#worker/accounts/sessions.ts";
import { endedSessions, secondFactors, sessions, users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { isAddress } from "#worker/platform/text/email-address.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { judgeToken } from "#worker/platform/http/turnstile.ts";
import { sha256 } from "#worker/platform/data/random.ts";

/**
 * Opens a session, and ends the `replaced` one; or, without a token, answers what the second step of the sign-in needs
 * (`signInByCode`). An unknown address and a wrong password get the same answer in the same time.
 * @throws `invalid`, also without a robot check after several failures; `unauthenticated` for an unknown, inactive or unverified account or a wrong password; `too_many`
 */
export async function logIn(
  ctx: Context,
  input: LoginInput,
  replaced?: string,
): Promise<{ token: string | null; answer: SignInAnswer; isFirst: boolean }> {
  const { email, password, robotCheck } = parseInput(LoginInput, input);
  const who = { email, address: ctx.client.address };
  if (ctx.config.turnstile && (await hasFailedOften(ctx, who))) await requirePerson(ctx, robotCheck);
  const attempt = await countAttempt(ctx, who);
  const [{ user, enabledAt, needsPasskey } = {}] = await ctx.db
    .select({ user: users, enabledAt: secondFactors.enabledAt, needsPasskey: hangsOnPasskey(ctx) })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.email, email));
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  if (!user || !matches || !user.isActive || !user.emailVerified) {
    const event = { kind: "login_failed", email: isAddress(email) ? email : NO_ADDRESS } as const;
    await ctx.db.batch([recordFailure(ctx, attempt), ...refusalRows(ctx, event)]);
    throw new AppError("unauthenticated", WRONG_CREDENTIALS);
  }
  const known = [clearCount(ctx, attempt), ...(await rehashed(ctx, user, password))] as const;
  if (enabledAt) {
    const signIn = await signHalfSignIn(ctx, user);
    await ctx.db.batch([...known, ...refusalRows(ctx, { kind: "code_asked", email })]);
    return { token: null, answer: { signIn }, isFirst: false };
  }
  if (needsPasskey) {
    const event = { kind: "login_failed", email, detail: "password without the passkey" } as const;
    await sendNotice(ctx, user, PASSWORD_ALONE);
    await ctx.db.batch([...known, ...refusalRows(ctx, event)]);
    throw new AppError("unauthenticated", PASSKEY_NEEDED);
  }
  const provided = sql`not ${hasApp(user.id)}`;
  const { token, statements } = await signInOf(ctx, user, { replaced, provided });
  await throwUnless(
    () => new AppError("conflict", SIGN_IN_EXPIRED),
    () => ctx.db.batch([...known, ...statements]),
  );
  await afterWrite(NOT_KNOWN, makeKnown(ctx, attempt));
  return { token, answer: adminOf(user), isFirst: isFirstSignIn(user) };
}

const PASSWORD_ALONE = {
  name: "passkey-needed",
  subject: "Someone has your password",
  parts: [
    "The password of your account was typed correctly. Your role needs the passkey as well, so the sign-in was refused.",
  ],
};

/** If Turnstile gives no verdict, the exact limits of attempts are enough. */
async function requirePerson(ctx: Context, token: string | undefined) {
  const verdict = token ? await judgeToken(ctx, token) : "robot";
  if (verdict === "robot") throw new AppError("invalid", ROBOT_CHECK);
}

/** Logged instead of invalid input, which may be a password in the wrong field. */
const NO_ADDRESS = "(not an address)";

/** Who signs in, with the stamp that the account has once the batch is committed. */
type Person = Pick<User, "id" | "email" | "stamp">;
type SignIn = {
  /** The token of this browser's former session, which ends. */
  replaced?: string | undefined;
  /** For the audit log. */
  detail?: string;
  /** Whether more than the password has proved who it is. */
  provedFactor?: boolean;
  /** SQL: if false, the batch is rolled back; see `throwUnless`. */
  provided?: SQL;
};

/** Each sign-in is these statements, whatever proved who it is; and the token for the cookie. */
export async function signInOf(ctx: Context, user: Person, options: SignIn) {
  const { replaced, detail, provided, provedFactor = false } = options;
  const token = await newSession(ctx, { ...user, provedFactor });
  const statements = [
    eventRow(ctx, { kind: "login", email: user.email, detail }, provided),
    lastSeenUpdate(ctx, user.id),
    ...(replaced ? await endOf(ctx, replaced) : []),
  ] as const;
  return { token, statements };
}

/** Whether the user, as read before a sign-in, has not signed in so far. */
export const isFirstSignIn = ({ lastSeenAt }: Pick<User, "lastSeenAt">) => lastSeenAt === null;

export const adminOf = ({ id, email, fullName, role }: Admin): Admin => ({ id, email, fullName, role });

/**
 * The statement that stores the password hashed at the current cost, if it is not. The stamp stays, so no session ends. A
 * concurrent reset of the password wins.
 */
async function rehashed({ db }: Context, { id, passwordHash }: User, password: string) {
  if (passwordHash === null || !needsRehash(passwordHash)) return [];
  const anew = await hashPassword(password);
  const isIt = and(eq(users.id, id), eq(users.passwordHash, passwordHash));
  return [db.update(users).set({ passwordHash: anew }).where(isIt)];
}

/** Logs out: the session ends for every copy of its cookie. */
export async function logOut(ctx: Context, token: string) {
  const own = ownSessionIn(ctx, token);
  await ctx.db.batch(await endOf(ctx, token));
  if (own) await afterWrite(NOT_DELETED, deleteRecord(ctx, own));
}

/** The statements that end the session of a token. */
export async function endOf(ctx: Context, token: string) {
  const { actor } = ctx;
  const own = ownSessionIn(ctx, token);
  const close = ctx.db.delete(sessions).where(eq(sessions.id, await sha256(token)));
  const event = actor.kind === "user" ? [eventRow(ctx, { kind: "logout", email: actor.email })] : [];
  return [close, ...(own ? [endSession(ctx, own)] : []), ...event] as const;
}

/** The session that the actor's token names; undefined for another user's. */
function ownSessionIn({ actor }: Context, token: string) {
  const claimed = decodeSessionToken(token);
  return actor.kind === "user" && claimed?.userId === actor.id ? claimed : undefined;
}

/** Signs out one of the user's own browsers. @throws `unauthenticated`, `reauthentication_required`; `not_found` */
export async function deleteSession(ctx: Context, id: string) {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  if (id.length > LONGEST_ID) throw noSuchSession();
  const own = and(eq(sessions.id, id), eq(sessions.userId, me.id));
  const session = { userId: me.id, id };
  const [[row], [ended]] = await Promise.all([
    ctx.db.select({ userAgent: sessions.userAgent }).from(sessions).where(own),
    ctx.db
      .select({ id: endedSessions.id })
      .from(endedSessions)
      .where(and(eq(endedSessions.id, id), isWholeSession)),
  ]);
  const device = ended ? null : (row ?? (await findRecord(ctx, session)));
  if (!device) throw noSuchSession();
  await ctx.db.batch([
    ctx.db.delete(sessions).where(own),
    endSession(ctx, session),
    eventRow(ctx, { kind: "session_ended", email: me.email, detail: deviceOf(device.userAgent) }),
  ]);
  await afterWrite(NOT_DELETED, deleteRecord(ctx, session));
}

const noSuchSession = () => new AppError("not_found", "This device is already signed out.");

/** Characters. Those of the site are shorter, and KV fails for a key of more than 512 bytes. */
const LONGEST_ID = 100;

/**
 * Signs the user out everywhere but in the current browser, and returns the new value of its cookie, whose copies end; null for a
 * session without a token.
 * @throws `unauthenticated`, `reauthentication_required`
 */
export async function deleteOtherSessions(ctx: Context) {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  const token = await sessionWithoutCopies(ctx, me);
  await ctx.db.batch([
    ...endOtherSessions(ctx, me),
    ...endFormerTokens(ctx, me),
    eventRow(ctx, { kind: "sessions_ended", email: me.email }),
  ]);
  return token;
}

export async function pruneSessions(ctx: Context) {
  await ctx.db.batch([
    ctx.db
      .delete(sessions)
      .where(
        or(lte(sessions.createdAt, ago(ctx, MAX_SESSION_MS)), lte(sessions.seenAt, ago(ctx, MAX_IDLE_MS))),
      ),
    ctx.db.delete(endedSessions).where(lte(endedSessions.expiresAt, ctx.now)),
  ]);
}
