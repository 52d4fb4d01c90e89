import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Of any part of the export, which has people as well as settings. `lasts`: milliseconds for which a proof of who the user
 * is counts, if more than those of a first request.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`
 */
export function requireExport(ctx: Context, lasts?: number) {
  requireCapability("settings", ctx);
  requireCapability("audience", ctx);
  requireRecentProof(ctx, lasts);
}
