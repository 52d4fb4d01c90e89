import { eq } from "drizzle-orm";
import { makeKnown, NOT_KNOWN, recordRecovery } from "#worker/accounts/attempts.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { ChosenPassword, type LinkFault } from "#worker/accounts/contract.ts";
import { deleteDevicesOf } from "#worker/accounts/devices.ts";
import { passwordRecoveredEmail } from "#worker/accounts/emails.ts";
import {
  brokenChoice,
  isUnchanged,
  readAccountLink,
  type ChoicePurpose,
  type User,
} from "#worker/accounts/account-links.ts";
import { hangsOnPasskey } from "#worker/accounts/factor-rules.ts";
import { deletePasskeysOf } from "#worker/accounts/passkeys.ts";
import { deleteTokensOf } from "#worker/accounts/tokens.ts";
import { hashPassword, rejectWeakPassword } from "#worker/accounts/passwords.ts";
import { signInOf } from "#worker/accounts/session-commands.ts";
import { deleteSessionsOf } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { randomToken } from "#worker/platform/data/random.ts";

/**
 * Sets the password chosen by a reset link, signs the account out everywhere and deletes its tokens, and its passkeys unless
 * the role needs them. An authenticator app stays: a mailbox alone must not open the account.
 * @throws `invalid`, also for a link that is broken, expired or used
 */
export async function resetPassword(ctx: Context, input: ChosenPassword) {
  const { user, stamp, change } = await choosePassword(ctx, "reset-password", input);
  const keepsPasskeys = await hangsOnPasskeyOf(ctx, user);
  const mail = await passwordRecoveredEmail(ctx, { ...user, stamp }, { keepsPasskeys });
  const who = { email: user.email, address: ctx.client.address };
  const recovery = await recordRecovery(ctx, who);
  await throwUnless(
    () => linkError("reset-password", "used"),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "password_reset", email: user.email }, isUnchanged(user)),
        change,
        deleteSessionsOf(ctx, user.id),
        ...(keepsPasskeys ? [] : [deletePasskeysOf(ctx, user.id)]),
        deleteTokensOf(ctx, user.id),
        deleteDevicesOf(ctx, user.id),
        mail.statement,
        ...recovery,
      ]),
  );
  enqueue(ctx, mail.id);
  await afterWrite(NOT_KNOWN, makeKnown(ctx, who));
  return { email: user.email };
}

async function hangsOnPasskeyOf(ctx: Context, { id }: User) {
  const [found] = await ctx.db
    .select({ is: hangsOnPasskey(ctx) })
    .from(users)
    .where(eq(users.id, id));
  return Boolean(found?.is);
}

/**
 * Sets the first password of an invited user; using the link confirms the address. Opens a session, which ends the
 * `replaced` one, and returns its token.
 * @throws `invalid`, also for a link that is broken, expired or used
 */
export async function acceptInvitation(ctx: Context, input: ChosenPassword, replaced?: string) {
  const { user, stamp, change } = await choosePassword(ctx, "invite", input);
  const { token, statements } = await signInOf(ctx, { ...user, stamp }, { replaced });
  const who = { email: user.email, address: ctx.client.address };
  const recovery = await recordRecovery(ctx, who);
  await throwUnless(
    () => linkError("invite", "used"),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "invitation_accepted", email: user.email }, isUnchanged(user)),
        change,
        ...statements,
        ...recovery,
      ]),
  );
  await afterWrite(NOT_KNOWN, makeKnown(ctx, who));
  return { id: user.id, email: user.email, session: token };
}

/** The new stamp invalidates this link and all others of the account. */
async function choosePassword(ctx: Context, purpose: ChoicePurpose, input: ChosenPassword) {
  const { token, password } = parseInput(ChosenPassword, input);
  const link = await readAccountLink(ctx, [purpose], token);
  if (!link.ok) throw linkError(purpose, link.fault);
  const { user } = link;
  await rejectWeakPassword(ctx, password, user);
  const passwordHash = await hashPassword(password);
  const stamp = randomToken();
  const change = ctx.db
    .update(users)
    .set({ passwordHash, emailVerified: true, pendingEmail: null, stamp, updatedAt: ctx.now })
    .where(eq(users.id, user.id));
  return { user, stamp, change };
}

const linkError = (purpose: ChoicePurpose, fault: LinkFault) =>
  new AppError("invalid", brokenChoice(purpose, fault).message, { field: "token" });
