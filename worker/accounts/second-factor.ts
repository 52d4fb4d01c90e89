import { eq, sql } from "drizzle-orm";
import type { SignedIn } from "#worker/access/capabilities.ts";
import { CODE_LIMIT, clearCount, countAttempt, recordFailure } from "#worker/accounts/attempts.ts";
import { USED_CODE, WRONG_CODE, WRONG_RECOVERY_CODE } from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { hasSecondFactor } from "#worker/accounts/factor-rules.ts";
import { unsealSecret } from "#worker/accounts/factor-secrets.ts";
import { deleteRecoveryCodesOf, useOfRecoveryCode } from "#worker/accounts/recovery-codes.ts";
import { refusalRows } from "#worker/accounts/refusals.ts";
import { sendNotice } from "#worker/accounts/notices.ts";
import { endOtherSessions } from "#worker/accounts/sessions.ts";
import { secondFactors } from "#worker/accounts/table.ts";
import { stepOfCode } from "#worker/accounts/totp.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";

/** Rules of the second factor: docs/decisions/0092-second-factor.md. */

/** SQL: the user has an authenticator app that is switched on. */
export const hasApp = (userId: string) =>
  sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId}
    and ${secondFactors.enabledAt} is not null)`;

/** The statements that remove a user's authenticator app with its recovery codes. */
export const deleteSecondFactorOf = ({ db }: Pick<Context, "db">, userId: string) =>
  [
    db.delete(secondFactors).where(eq(secondFactors.userId, userId)),
    deleteRecoveryCodesOf({ db }, userId),
  ] as const;

/**
 * The statements that sign the user out on all other devices if there is no second factor yet, for the batch that adds one: a
 * thief may have signed in by the password alone, and such a session must not count as one by both.
 */
export const endSessionsWithoutFactor = (ctx: Context, me: SignedIn) =>
  endOtherSessions(
    ctx,
    me,
    sql`not exists (select 1 from users where users.id = ${me.id} and ${hasSecondFactor})`,
  );

const HALF_SIGNED_IN = "second-factor";
/** Seconds between the password and the code. */
const CODE_WITHIN = 600;

/**
 * What the first step of a sign-in answers where a code is asked for. It opens nothing, and the user's next stamp invalidates
 * it: a new password, role or state, or a reset of the second factor.
 */
export const signHalfSignIn = (ctx: Context, { id, stamp }: Pick<User, "id" | "stamp">) =>
  signLink(ctx, { purpose: HALF_SIGNED_IN, subject: id, stamp }, CODE_WITHIN);

export async function readHalfSignIn(ctx: Context, signIn: string) {
  const read = await readLink(ctx, HALF_SIGNED_IN, signIn);
  return read.ok ? { id: read.subject, stamp: read.stamp } : null;
}

/** A used code, or one that was used concurrently. */
export const usedCode = () => wrong(USED_CODE);

const wrong = (message: string) => new AppError("invalid", message, { field: "code" });

/** A code of the app. Anything else is taken for a recovery code. */
function asAppCode(typed: string) {
  const digits = typed.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}

type Account = Pick<User, "id" | "email">;

/**
 * Checks a code: the statements for the batch of what it allows, and the condition under which that batch may run. Counted
 * apart from passwords: who knows the password must not reset the count of codes by typing it again. At a sign-in, which the
 * password began, a recovery code is enough, and the user is mailed about a refusal.
 * @throws `invalid` for a wrong or used code; `too_many`
 */
export async function proveCode(
  ctx: Context,
  user: Account,
  typed: string,
  { isSignIn }: { isSignIn: boolean },
) {
  const who = { kind: "code", email: user.email, address: ctx.client.address } as const;
  const attempt = await countAttempt(ctx, who, CODE_LIMIT);
  const appCode = asAppCode(typed);
  const found = await (appCode === null && isSignIn
    ? checkRecoveryCode(ctx, user, typed)
    : checkAppCode(ctx, user, appCode));
  if (found.refusal !== undefined) {
    if (isSignIn) await sendNotice(ctx, user, REFUSED_CODE);
    await ctx.db.batch([
      recordFailure(ctx, attempt),
      ...refusalRows(ctx, { kind: "code_refused", email: user.email, detail: found.detail }),
    ]);
    throw wrong(found.refusal);
  }
  const { isRecovery, detail, provided, use } = found;
  return { who, isRecovery, detail, provided, proof: [clearCount(ctx, attempt), use] as const };
}

const REFUSED_CODE = {
  name: "code-refused",
  subject: "A sign-in with your password had a wrong code",
  parts: [
    "The password of your account was typed correctly, the code after it was not, so the sign-in was refused.",
  ],
};

async function checkAppCode(ctx: Context, { id }: Account, code: string | null) {
  const [factor] = await ctx.db.select().from(secondFactors).where(eq(secondFactors.userId, id));
  const detail = "app";
  const step =
    code !== null && factor?.enabledAt && stepOfCode(await unsealSecret(ctx, factor.secret), code, ctx.now);
  if (!step) return { refusal: WRONG_CODE, detail };
  if (step <= factor.lastStep) return { refusal: USED_CODE, detail: "app: a used code" };
  const isUnused = sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${id}
    and ${secondFactors.enabledAt} is not null and ${secondFactors.lastStep} < ${step})`;
  const use = ctx.db.update(secondFactors).set({ lastStep: step }).where(eq(secondFactors.userId, id));
  return { isRecovery: false, detail: "code", provided: isUnused, use };
}

async function checkRecoveryCode(ctx: Context, user: Account, typed: string) {
  const { isUnused, use } = await useOfRecoveryCode(ctx, user, typed);
  const { isValid } = await ctx.db.get<{ isValid: number }>(sql`select ${isUnused} as isValid`);
  if (!isValid) return { refusal: WRONG_RECOVERY_CODE, detail: "recovery code" };
  return { isRecovery: true, detail: "recovery code", provided: isUnused, use };
}
