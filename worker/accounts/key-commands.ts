import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRowIf } from "#worker/accounts/audit-log.ts";
import type { Context } from "#worker/platform/context.ts";
import { replacementOfKey } from "#worker/platform/http/signing-keys.ts";

/** Milliseconds in which a second press, or its repeated request, replaces nothing. */
const REPEATED_MS = 60_000;

/**
 * Replaces the key that signs sessions and links. Those signed so far stay valid until they expire.
 * @throws `unauthenticated`, `forbidden`; `reauthentication_required`
 */
export async function replaceSigningKey(ctx: Context) {
  requireCapability("keys", ctx);
  requireRecentProof(ctx);
  const { isDue, statement } = await replacementOfKey(ctx, REPEATED_MS);
  const event = { kind: "signing_key_replaced", email: actorEmail(ctx) } as const;
  await ctx.db.batch([eventRowIf(ctx, event, isDue), statement]);
}
