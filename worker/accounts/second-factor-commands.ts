import { eq, isNull, notInArray, sql } from "drizzle-orm";
import {
  PROOF_LASTS_FOR_PARTS,
  requireRecentProof,
  requireUser,
  type SignedIn,
} from "#worker/access/capabilities.ts";
import { countAttempt, makeKnown, NOT_KNOWN, recordFailure, clearCount } from "#worker/accounts/attempts.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import {
  APP_SESSION_ENDED,
  CodeForm,
  CodeSignIn,
  FactorRulesChange,
  SIGN_IN_EXPIRED,
  WRONG_CODE,
  type Enrolment,
  type FactorRules,
  type RecoveryCodes,
} from "#worker/accounts/contract.ts";
import { deleteDevicesOf } from "#worker/accounts/devices.ts";
import {
  recoveryCodesMadeEmail,
  recoveryCodeUsedEmail,
  secondFactorOffEmail,
  secondFactorOnEmail,
  secondFactorResetEmail,
} from "#worker/accounts/emails.ts";
import { isUnchanged } from "#worker/accounts/account-links.ts";
import { sealSecret, unsealSecret } from "#worker/accounts/factor-secrets.ts";
import { hasSecondFactor } from "#worker/accounts/factor-rules.ts";
import { deletePasskeysOf } from "#worker/accounts/passkeys.ts";
import { isActor, requireSuperAdmin } from "#worker/accounts/policy.ts";
import { findUser } from "#worker/accounts/queries.ts";
import { newRecoveryCodes } from "#worker/accounts/recovery-codes.ts";
import { limitUserMails } from "#worker/accounts/request-commands.ts";
import {
  deleteSecondFactorOf,
  hasApp,
  proveCode,
  readHalfSignIn,
  usedCode,
} from "#worker/accounts/second-factor.ts";
import { adminOf, isFirstSignIn, signInOf } from "#worker/accounts/session-commands.ts";
import { deleteSessionsOf, endOtherSessions, isStillOpen } from "#worker/accounts/sessions.ts";
import { factorRules, recoveryCodes, secondFactors, users } from "#worker/accounts/table.ts";
import { deleteTokensOf } from "#worker/accounts/tokens.ts";
import { enrolmentOf, newTotpSecret, stepOfCode } from "#worker/accounts/totp.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { readSender } from "#worker/settings/queries.ts";

/**
 * The second step of a sign-in by password: opens a session, and ends the `replaced` one. A recovery code is mailed about.
 * @throws `invalid` for a wrong or used code, or a first step that is too old; `too_many`
 */
export async function signInByCode(ctx: Context, input: CodeSignIn, replaced?: string) {
  const { signIn: firstStep, code } = parseInput(CodeSignIn, input);
  const half = await readHalfSignIn(ctx, firstStep);
  const [user] = half ? await ctx.db.select().from(users).where(eq(users.id, half.id)) : [];
  if (!user || user.stamp !== half?.stamp || !user.isActive || !user.emailVerified) throw expired();
  const {
    who,
    isRecovery,
    detail,
    provided: isUnused,
    proof,
  } = await proveCode(ctx, user, code, {
    isSignIn: true,
  });
  const provided = sql`${isUnused} and ${isUnchanged(user)}`;
  const signIn = { replaced, detail, provided, provedFactor: true };
  const { token, statements } = await signInOf(ctx, user, signIn);
  const recovery = isRecovery ? await recoveryUse(ctx, user) : null;
  await throwUnless(usedCode, () =>
    ctx.db.batch([...statements, ...proof, ...(recovery ? recovery.statements : [])]),
  );
  if (recovery) enqueue(ctx, recovery.id);
  const { address } = ctx.client;
  const makeAllKnown = Promise.all([makeKnown(ctx, who), makeKnown(ctx, { email: user.email, address })]);
  await afterWrite(NOT_KNOWN, makeAllKnown);
  return { token, admin: adminOf(user), isFirst: isFirstSignIn(user) };
}

const expired = () => new AppError("invalid", SIGN_IN_EXPIRED);

async function recoveryUse(ctx: Context, user: typeof users.$inferSelect) {
  const before = await ctx.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id));
  const mail = await recoveryCodeUsedEmail(ctx, user, Math.max(0, before - 1));
  const event = eventRow(ctx, { kind: "recovery_code_used", email: user.email });
  return { id: mail.id, statements: [event, mail.statement] as const };
}

/**
 * Makes the secret for an authenticator app. Nothing changes until a code proves that the app has it; a later call replaces
 * the secret.
 * @throws `unauthenticated`, `reauthentication_required`; `conflict` if an app is on
 */
export async function startSecondFactor(ctx: Context): Promise<Enrolment> {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  const { siteName } = await readSender(ctx);
  const secret = newTotpSecret();
  const row = { secret: await sealSecret(ctx, secret), lastStep: 0, createdAt: ctx.now };
  const [stored] = await ctx.db
    .insert(secondFactors)
    .values({ userId: me.id, ...row })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: row,
      setWhere: isNull(secondFactors.enabledAt),
    })
    .returning({ userId: secondFactors.userId });
  if (!stored) throw alreadyOn();
  return { secret, ...enrolmentOf(secret, { issuer: siteName, label: me.email }) };
}

const alreadyOn = () => new AppError("conflict", "An authenticator app is already set up.");

/**
 * Switches the app on with one of its codes, mails a notice, and returns the recovery codes, which are shown this once. Signs
 * out all other devices: a thief may have signed in by the password alone.
 * @throws `unauthenticated`, also if the session ends while it runs; `reauthentication_required`; `invalid` for a wrong code; `conflict` if an app is on, or none was
 * begun; `too_many`
 */
export async function enableSecondFactor(ctx: Context, input: CodeForm): Promise<RecoveryCodes> {
  const me = requireUser(ctx);
  requireRecentProof(ctx, PROOF_LASTS_FOR_PARTS);
  const { code } = parseInput(CodeForm, input);
  const own = eq(secondFactors.userId, me.id);
  const [factor] = await ctx.db.select().from(secondFactors).where(own);
  if (!factor) throw new AppError("conflict", "Begin again: the code belongs to a secret that is gone.");
  if (factor.enabledAt) throw alreadyOn();
  const who = { kind: "new-code", email: me.email, address: ctx.client.address } as const;
  const attempt = await countAttempt(ctx, who);
  const step = stepOfCode(await unsealSecret(ctx, factor.secret), code.replaceAll(/\s/g, ""), ctx.now);
  if (step === null) {
    await recordFailure(ctx, attempt);
    throw new AppError("invalid", WRONG_CODE, { field: "code" });
  }
  const { codes, statements } = await newRecoveryCodes(ctx, me);
  const mail = await secondFactorOnEmail(ctx, me);
  await limitUserMails(ctx, [mail]);
  const isSame = sql`exists (select 1 from ${secondFactors} where ${own} and ${secondFactors.secret} = ${factor.secret}
    and ${secondFactors.enabledAt} is null)`;
  const provided = sql`${isSame} and ${isStillOpen(me)}`;
  await throwUnless(
    () => notEnabled(ctx, me),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "second_factor_on", email: me.email }, provided),
        ...endOtherSessions(ctx, me),
        ctx.db.update(secondFactors).set({ enabledAt: ctx.now, lastStep: step }).where(own),
        ...statements,
        clearCount(ctx, attempt),
        mail.statement,
      ]),
  );
  enqueue(ctx, mail.id);
  return { codes };
}

async function notEnabled({ db }: Context, me: SignedIn) {
  const { isOpen } = await db.get<{ isOpen: number }>(sql`select ${isStillOpen(me)} as isOpen`);
  return isOpen ? alreadyOn() : new AppError("unauthenticated", APP_SESSION_ENDED);
}

/** Its sessions stay open. Mails a notice. @throws `unauthenticated`, `reauthentication_required`; `not_found` without an app */
export async function disableSecondFactor(ctx: Context) {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  const mail = await secondFactorOffEmail(ctx, me);
  await throwUnless(noApp, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "second_factor_off", email: me.email }, hasApp(me.id)),
      ...deleteSecondFactorOf(ctx, me.id),
      // Not limited, unlike the mail of an addition: a stranger's app can always be removed.
      mail.statement,
    ]),
  );
  enqueue(ctx, mail.id);
}

const noApp = () => new AppError("not_found", "There is no authenticator app on your account.");

/** New recovery codes in place of all earlier ones. Mails a notice. @throws as `disableSecondFactor` */
export async function replaceRecoveryCodes(ctx: Context): Promise<RecoveryCodes> {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  const { codes, statements } = await newRecoveryCodes(ctx, me);
  const mail = await recoveryCodesMadeEmail(ctx, me);
  await limitUserMails(ctx, [mail]);
  await throwUnless(noApp, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "recovery_codes_made", email: me.email }, hasApp(me.id)),
      ...statements,
      mail.statement,
    ]),
  );
  enqueue(ctx, mail.id);
  return { codes };
}

/**
 * Sets which roles need a second factor. A role that already does keeps its start; one that needs it again gets all days of the
 * grace, since its users had no reason to prepare (docs/decisions/0092-second-factor.md). Only a super admin who has one can
 * require one.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`; `conflict` without a second factor of one's own
 */
export async function updateFactorRules(ctx: Context, input: FactorRulesChange): Promise<FactorRules> {
  requireSuperAdmin(ctx);
  requireRecentProof(ctx);
  const { roles, graceDays } = parseInput(FactorRulesChange, input);
  const { id, email } = requireUser(ctx);
  const hasOwn = sql`exists (select 1 from users where users.id = ${id} and ${hasSecondFactor})`;
  const detail = roles.length === 0 ? "no role" : `${roles.join(", ")}: ${graceDays} days`;
  const event = { kind: "factor_rules_changed", email, detail } as const;
  await throwUnless(needsOwn, () =>
    ctx.db.batch([
      eventRow(ctx, event, roles.length === 0 ? sql`true` : hasOwn),
      ctx.db.delete(factorRules).where(notInArray(factorRules.role, roles)),
      ...roles.map((role) =>
        ctx.db
          .insert(factorRules)
          .values({ role, since: ctx.now, graceDays })
          .onConflictDoUpdate({ target: factorRules.role, set: { graceDays } }),
      ),
    ]),
  );
  return { roles, graceDays };
}

const needsOwn = () =>
  new AppError("conflict", "Set up a second factor for yourself first, under Your account.");

/**
 * Removes another user's authenticator app, recovery codes, passkeys, API tokens and pending address, signs them out everywhere,
 * and mails a notice.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`; `conflict` without one, or for a concurrent change
 */
export async function resetSecondFactor(ctx: Context, id: string) {
  requireSuperAdmin(ctx);
  const user = await findUser(ctx, id);
  if (isActor(ctx, user))
    throw new AppError("forbidden", "Change your own second factor under Your account.");
  requireRecentProof(ctx);
  const stamp = randomToken();
  const mail = await secondFactorResetEmail(ctx, { ...user, stamp });
  const has = sql`exists (select 1 from users where users.id = ${id} and ${hasSecondFactor})`;
  await throwUnless(noneToReset, () =>
    ctx.db.batch([
      eventRow(ctx, { kind: "second_factor_reset", email: user.email }, sql`${has} and ${isUnchanged(user)}`),
      ...deleteSecondFactorOf(ctx, id),
      deletePasskeysOf(ctx, id),
      deleteTokensOf(ctx, id),
      deleteDevicesOf(ctx, id),
      deleteSessionsOf(ctx, id),
      ctx.db.update(users).set({ stamp, pendingEmail: null, updatedAt: ctx.now }).where(eq(users.id, id)),
      mail.statement,
    ]),
  );
  enqueue(ctx, mail.id);
}

const noneToReset = () =>
  new AppError("conflict", "This user has no second factor, or has just changed. Reload to see.");
