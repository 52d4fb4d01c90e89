import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Of any part of the export, which has people as well as settings.
 * @throws `unauthenticated`, `forbidden`
 */
export function requireExport(ctx: Context) {
  requireCapability("settings", ctx);
  requireCapability("audience", ctx);
}
