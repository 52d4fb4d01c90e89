import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { retryNow } from "#worker/platform/work/outbox.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";
import { findPing } from "#worker/publications/queries.ts";

/**
 * Immediately retries an item's failed ping to the hub.
 * @throws `unauthenticated`, `forbidden`; `not_found` if no ping failed
 */
export async function retryPing(ctx: Context, kind: PublicationKind, id: number) {
  requireCapability("edit", ctx);
  const pingId = await findPing(ctx, kind, id);
  if (pingId === undefined || !(await retryNow(ctx, pingId)))
    throw new AppError("not_found", "There’s no notification to send again.");
}
