import { eq, sql } from "drizzle-orm";
import { base64url } from "jose";
import { clearCount, countAttempt, recordFailure } from "#worker/accounts/attempts.ts";
import { eventRow, type NewEvent } from "#worker/accounts/audit-log.ts";
import {
  PASSKEY_NO_ACCESS,
  PASSKEY_OVERTAKEN,
  PASSKEY_REFUSED,
  PASSKEY_TOO_LATE,
  PASSKEY_UNKNOWN,
  type PasskeySignIn,
} from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { refusalRows } from "#worker/accounts/refusals.ts";
import { passkeys, users } from "#worker/accounts/table.ts";
import { verifySignIn } from "#worker/accounts/webauthn.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { countWithinLimits } from "#worker/platform/http/rate.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";

/** The site as browsers know it: a passkey works at this origin only. */
export function relyingParty({ config }: Pick<Context, "config">) {
  const { hostname, origin } = new URL(config.siteUrl);
  return { rpId: hostname, origin };
}

/** The user as authenticators know them. */
export const userHandleOf = ({ id }: Pick<User, "id">) => base64url.encode(id);

/** The statement that deletes all of a user's passkeys: a recovered account must not keep a stranger's. */
export const deletePasskeysOf = ({ db }: Pick<Context, "db">, userId: string) =>
  db.delete(passkeys).where(eq(passkeys.userId, userId));

type Ceremony = "passkey-sign-in" | "passkey-addition";

/** Seconds for which a challenge works. Less than an hour, for which its use is remembered. */
export const CHALLENGE_LASTS = 600;

/**
 * A challenge is a signed token, so that it is stored nowhere before it is used, and each tab has its own. `subject`: the
 * user to whom it was given.
 */
export async function newChallenge(ctx: Context, ceremony: Ceremony, subject: string) {
  const claims = { purpose: ceremony, subject, stamp: randomToken() };
  return base64url.encode(await signLink(ctx, claims, CHALLENGE_LASTS));
}

/**
 * Uses up the challenge that a browser answers, and returns it with its subject.
 * @throws `invalid` for one that has expired, was used or is not of this site
 */
export async function takeChallenge(ctx: Context, ceremony: Ceremony, clientDataJSON: string) {
  const challenge = challengeIn(clientDataJSON);
  const read = await readLink(ctx, ceremony, textOf(challenge));
  const isFirst =
    read.ok && (await countWithinLimits(ctx, [{ subject: `challenge:${read.stamp}`, most: 1 }]));
  if (!read.ok || !isFirst) throw new AppError("invalid", PASSKEY_TOO_LATE);
  return { challenge, subject: read.subject };
}

/** The challenge in a browser's answer; empty if there is none. */
function challengeIn(clientDataJSON: string) {
  try {
    const { challenge } = JSON.parse(textOf(clientDataJSON)) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

function textOf(encoded: string) {
  try {
    return new TextDecoder().decode(base64url.decode(encoded));
  } catch {
    return "";
  }
}

/** The passkey was removed or used concurrently. */
export const overtaken = () => new AppError("invalid", PASSKEY_OVERTAKEN);

/**
 * Checks the answer of a browser: the user whose passkey it is, the statements for the batch of what the proof allows, and
 * the condition under which that batch may run.
 * @throws as `signInByPasskey`
 */
export async function provePasskey(ctx: Context, answer: PasskeySignIn) {
  // Apart from the account's passwords: a key cannot be guessed, and guesses at a password must not delay it.
  const who = { kind: "passkey", email: answer.id, address: ctx.client.address } as const;
  const attempt = await countAttempt(ctx, who);
  const { challenge } = await takeChallenge(ctx, "passkey-sign-in", answer.clientDataJSON);
  const [found] = await ctx.db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, answer.id));
  const refuse = async (event: NewEvent, error = new AppError("unauthenticated", PASSKEY_REFUSED)) => {
    const rows = event.kind === "login_failed" ? refusalRows(ctx, event) : [eventRow(ctx, event)];
    await ctx.db.batch([recordFailure(ctx, attempt), ...rows]);
    return error;
  };
  if (!found) {
    const event = { kind: "login_failed", email: NO_ACCOUNT } as const;
    throw await refuse(event, new AppError("not_found", PASSKEY_UNKNOWN));
  }
  const { passkey, user } = found;
  const { email } = user;
  const detail = `passkey: ${passkey.name}`;
  const counter = verifySignIn(answer, passkey.publicKey, { challenge, ...relyingParty(ctx) });
  const isOfUser = answer.userHandle === userHandleOf(user);
  if (counter === null || !isOfUser) throw await refuse({ kind: "login_failed", email, detail });
  if (!user.isActive || !user.emailVerified) {
    const event = { kind: "login_failed", email, detail } as const;
    throw await refuse(event, new AppError("unauthenticated", PASSKEY_NO_ACCESS));
  }
  if (hasGoneBack(passkey.counter, counter)) throw await refuse({ kind: "passkey_refused", email, detail });
  const use = ctx.db
    .update(passkeys)
    .set({ counter, lastUsedAt: ctx.now })
    .where(eq(passkeys.id, passkey.id));
  return {
    user,
    detail,
    proof: [clearCount(ctx, attempt), use] as const,
    provided: sql`exists (select 1 from ${passkeys} where ${passkeys.id} = ${passkey.id}
      and ${passkeys.counter} = ${passkey.counter})`,
  };
}

/** Logged for a passkey that is not stored here. */
const NO_ACCOUNT = "(an unknown passkey)";

/** A copy of the key signs with a counter that the original has already passed. Synced passkeys do not count: always 0. */
const hasGoneBack = (before: number, now: number) => (before > 0 || now > 0) && now <= before;
