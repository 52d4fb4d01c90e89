import { eq, type SQL } from "drizzle-orm";
import { requireUser } from "#worker/access/capabilities.ts";
import { requireCurrentPassword } from "#worker/accounts/account-commands.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { PASSKEY_OF_ANOTHER, Proof } from "#worker/accounts/contract.ts";
import { provePasskey } from "#worker/accounts/passkeys.ts";
import { proveCode, usedCode } from "#worker/accounts/second-factor.ts";
import { endFormerTokens } from "#worker/accounts/sessions.ts";
import { sessions } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { overtaken } from "#worker/webauthn/ceremonies.ts";

/**
 * Proves who the user of the session is, for what `requireRecentProof` guards. The caller signs a new token; those from before
 * end. `byFactor`: by more than the password.
 * @throws `unauthenticated`; `invalid` for a wrong password or code, or a passkey that is another user's or was used concurrently;
 * for another fault of a passkey as `signInByPasskey`; `too_many`
 */
export async function confirmIdentity(ctx: Context, input: Proof) {
  const me = requireUser(ctx);
  const given = parseInput(Proof, input);
  const confirmed = (detail: string, provided?: SQL) =>
    [
      ctx.db.update(sessions).set({ authenticatedAt: ctx.now }).where(eq(sessions.id, me.sessionId)),
      ...endFormerTokens(ctx, me),
      eventRow(ctx, { kind: "identity_confirmed", email: me.email, detail }, provided),
    ] as const;
  if ("currentPassword" in given) {
    await requireCurrentPassword(ctx, given.currentPassword);
    await ctx.db.batch(confirmed("password"));
    return { byFactor: false };
  }
  if ("code" in given) {
    const proved = await proveCode(ctx, me, given.code, { isSignIn: false });
    const statements = confirmed(proved.detail, proved.provided);
    await throwUnless(usedCode, () => ctx.db.batch([...statements, ...proved.proof]));
    return { byFactor: true };
  }
  const { user, detail, proof, provided } = await provePasskey(ctx, given.passkey);
  if (user.id !== me.id) {
    await eventRow(ctx, { kind: "passkey_refused", email: me.email, detail: `passkey of ${user.email}` });
    throw new AppError("invalid", PASSKEY_OF_ANOTHER);
  }
  await throwUnless(overtaken, () => ctx.db.batch([...confirmed(detail, provided), ...proof]));
  return { byFactor: true };
}
