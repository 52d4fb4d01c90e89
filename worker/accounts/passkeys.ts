import { eq, sql } from "drizzle-orm";
import { clearCount, countAttempt, recordFailure } from "#worker/accounts/attempts.ts";
import { eventRow, type NewEvent } from "#worker/accounts/audit-log.ts";
import {
  PASSKEY_NO_ACCESS,
  PASSKEY_OF_MEMBER,
  PASSKEY_REFUSED,
  PASSKEY_UNKNOWN,
} from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { refusalRows } from "#worker/accounts/refusals.ts";
import { passkeys, users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { checkSignIn, takeChallenge } from "#worker/webauthn/ceremonies.ts";
import type { PasskeySignIn } from "#worker/webauthn/contract.ts";
import { holderIn, userHandle } from "#worker/webauthn/user-handle.ts";

/** The user as authenticators know them. */
export const userHandleOf = ({ id }: Pick<User, "id">) => userHandle("user", id);

/** The statement that deletes all of a user's passkeys: a recovered account must not keep a stranger's. */
export const deletePasskeysOf = ({ db }: Pick<Context, "db">, userId: string) =>
  db.delete(passkeys).where(eq(passkeys.userId, userId));

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
    // The browser forgets a passkey that is unknown: not a member's, which works at /account.
    throw await refuse(
      event,
      holderIn(answer.userHandle) === "member"
        ? new AppError("unauthenticated", PASSKEY_OF_MEMBER)
        : new AppError("not_found", PASSKEY_UNKNOWN),
    );
  }
  const { passkey, user } = found;
  const { email } = user;
  const detail = `passkey: ${passkey.name}`;
  const checked = checkSignIn(ctx, answer, passkey, { challenge, handle: userHandleOf(user) });
  if ("fault" in checked && checked.fault === "invalid")
    throw await refuse({ kind: "login_failed", email, detail });
  if (!user.isActive || !user.emailVerified) {
    const event = { kind: "login_failed", email, detail } as const;
    throw await refuse(event, new AppError("unauthenticated", PASSKEY_NO_ACCESS));
  }
  if ("fault" in checked) throw await refuse({ kind: "passkey_refused", email, detail });
  const use = ctx.db
    .update(passkeys)
    .set({ counter: checked.counter, lastUsedAt: ctx.now })
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
