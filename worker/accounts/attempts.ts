import { eq, inArray, lt, or, sql } from "drizzle-orm";
import { loginAttempts } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logAsNull } from "#worker/platform/log.ts";
import { ADDRESSES_OF_NETWORK, networkOf } from "#worker/platform/http/rate.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { sha256 } from "#worker/platform/data/random.ts";

const DAY = 86_400;
/** Seconds. Failures older than this are forgotten. */
const WINDOW = DAY;
/** Seconds for which an IP address that signed in to an account has its own count. */
const KNOWN_FOR = 60 * DAY;

/**
 * `free` failures have no wait; from then on it doubles from one second up to `longest`. Constant guesses from many
 * addresses can lock an account: its owner can still sign in from a known address, and a reset link makes another
 * address known (`recordRecovery`).
 */
const limits = { account: { free: 5, longest: 60 }, address: { free: 20, longest: 900 } };

/** Of the /48 around an IPv6 address, whose owner could otherwise guess from 65,536 addresses. */
const ofNetwork: Limit = { ...limits.address, free: ADDRESSES_OF_NETWORK * limits.address.free };

/**
 * For codes of six digits, three of which are valid at a time. Only a person who knows the password is asked for one, and can
 * try 96 a day: one of 3,500 such days succeeds. They delay the owner's code by 15 minutes at most, and not at an address where the
 * owner has signed in by a code, which has its own count.
 */
export const CODE_LIMIT: Limit = { free: 5, longest: 900 };

/**
 * Milliseconds within which an attempt must end. Until then it counts as failed, so that concurrent guesses cannot all
 * pass. An attempt that is still pending later was ended by the platform. Its sender learned nothing, so it no longer
 * counts.
 */
const PENDING_MS = 10_000;

type Limit = { free: number; longest: number };
/**
 * The kind of attempt: a password, a code of an app or a recovery code, the first code of a new app, or the passkey of a user
 * or a member. Each kind is counted separately, and a visitor's input cannot choose it.
 */
type Kind = "account" | "code" | "new-code" | "passkey" | "member-passkey";
/** `email`: of a passkey its credential id. */
type Who = { email: string; address: string; kind?: Kind };
/** The counted attempt; `recordSuccess` reverts it, and `recordFailure` makes it permanent. */
type Attempt = Who & { account: string; rows: number[]; addressRows: number[] };

/**
 * Counts an attempt before the password is checked, or refuses it with the seconds to wait. One statement checks and
 * counts; a refused attempt is not counted and does not extend the wait.
 */
export async function countAttempt(
  ctx: Context,
  who: Who,
  ofAccount: Limit = limits.account,
): Promise<Attempt> {
  const account = await accountSubject(ctx, who);
  const network = networkOf(who.address);
  const waits: Counted[] = [
    { subject: account, limit: ofAccount },
    { subject: await subjectOf("address", who.address), limit: limits.address },
    ...(network ? [{ subject: await subjectOf("network", network), limit: ofNetwork }] : []),
  ];
  const given = JSON.stringify(waits.map(({ subject }) => subject));
  const mayTry = waits.map((each) => sql`${waitOf(ctx, each)} <= 0`);
  const counted = await ctx.db.all<{ id: number; subject: string }>(sql`
    insert into login_attempts (subject, at, pending_until)
    select value, ${ctx.now.getTime()}, ${ctx.now.getTime() + PENDING_MS} from json_each(${given})
    where ${sql.join(mayTry, sql` and `)}
    returning id, subject`);
  if (counted.length === 0) throw await tooManyAttempts(ctx, waits);
  const addressRows = counted.filter(({ subject }) => subject !== account).map(({ id }) => id);
  return { ...who, account, rows: counted.map(({ id }) => id), addressRows };
}

/** Failures of an account or an address after which the login asks for Turnstile, if the site has it. */
const BEFORE_ROBOT_CHECK = 3;

/** Whether the account or the address has failed so often that a robot may be guessing. */
export async function hasFailedOften(ctx: Context, who: Who) {
  const subjects = [await accountSubject(ctx, who), await subjectOf("address", who.address)];
  const since = ctx.now.getTime() - WINDOW * 1000;
  const [found] = await ctx.db.all<{ failures: number }>(sql`
    select count(*) as failures from login_attempts
    where subject in ${subjects} and at > ${since} and pending_until is null
    group by subject order by failures desc limit 1`);
  return (found?.failures ?? 0) >= BEFORE_ROBOT_CHECK;
}

/** SQL: after a wrong password, before its answer. */
export const recordFailure = ({ db }: Context, { rows }: Attempt) =>
  db.update(loginAttempts).set({ pendingUntil: null }).where(inArray(loginAttempts.id, rows));

/** After a success: clears the account's count and makes this address known. */
export async function recordSuccess(ctx: Context, attempt: Attempt) {
  await clearCount(ctx, attempt);
  await afterWrite(NOT_KNOWN, makeKnown(ctx, attempt));
}

/**
 * The statement that clears the account's count after a success, for the batch of what the password allows. Call
 * `makeKnown` with the attempt once the batch is committed.
 */
export const clearCount = ({ db }: Context, { account, addressRows }: Attempt) =>
  db
    .delete(loginAttempts)
    .where(or(eq(loginAttempts.subject, account), inArray(loginAttempts.id, addressRows)));

/**
 * After an emailed link has proved whose account it is: the statement that clears its counts of passwords, for the batch of
 * the link's use. That of codes stays: the thief of a mailbox could otherwise try 150 codes an hour, five after each link.
 * Call `makeKnown` with the address once the batch is committed.
 */
export async function recordRecovery({ db }: Context, who: Who) {
  const subjects = await Promise.all([strangersOf(who), knownOf(who)]);
  // In an array, because awaiting a bare statement would run it.
  return [db.delete(loginAttempts).where(inArray(loginAttempts.subject, subjects))] as const;
}

/** Gives the address its own count of failures. KV allows one write per second per key. */
export async function makeKnown({ kv }: Context, who: Who) {
  await kv.put(await knownKey(who), "", { expirationTtl: KNOWN_FOR });
}

export const NOT_KNOWN = "attempts: KV did not take the address";

export async function pruneAttempts({ db, now }: Context) {
  await db.delete(loginAttempts).where(lt(loginAttempts.at, new Date(now.getTime() - WINDOW * 1000)));
}

/**
 * A known address has its own count, so that strangers' guesses do not delay it. If KV is down, no address is known.
 */
async function accountSubject({ kv }: Context, who: Who) {
  const isKnown = (await kv.get(await knownKey(who)).catch(unanswered)) !== null;
  return isKnown ? knownOf(who) : strangersOf(who);
}

const unanswered = logAsNull("attempts: KV did not tell whether the address is known");

const strangersOf = ({ kind = "account", email }: Who) => subjectOf(kind, email);
const knownOf = ({ kind = "account", email, address }: Who) => subjectOf(kind, email, address);
const knownKey = async ({ kind, email, address }: Who) =>
  `login-known:${await subjectOf(...(kind ? [kind] : []), email, address)}`;

/** As JSON, so that the parts cannot run into each other. */
const subjectOf = (...parts: string[]) => sha256(JSON.stringify(parts));

/** SQL: the remaining wait in milliseconds; zero or less for none. */
function waitOf({ now }: Context, { subject, limit: { free, longest } }: Counted) {
  const time = now.getTime();
  return sql`(
    select case when count(*) < ${free} then 0
      else max(at) + 1000 * min(${longest}, 1 << min(count(*) - ${free}, 20)) - ${time} end
    from login_attempts where subject = ${subject} and at > ${time - WINDOW * 1000}
      and (pending_until is null or pending_until > ${time}))`;
}

type Counted = { subject: string; limit: Limit };

async function tooManyAttempts(ctx: Context, waits: Counted[]) {
  const all = waits.map((each) => waitOf(ctx, each));
  const [wait] = await ctx.db.all<{ ms: number }>(sql`select max(${sql.join(all, sql`, `)}) as ms`);
  const retryAfter = Math.max(1, Math.ceil((wait?.ms ?? 0) / 1000));
  const seconds = retryAfter === 1 ? "1 second" : `${retryAfter} seconds`;
  return new AppError("too_many", `Too many attempts. Please try again in ${seconds}.`, { retryAfter });
}
