import { eventRow } from "#worker/accounts/audit-log.ts";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { subscribersCsv } from "#worker/newsletter/export-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { streamOf } from "#worker/platform/http/stream.ts";

/**
 * All subscribers as CSV, streamed. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`
 */
export async function exportSubscribers(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  requireCapability("audience", ctx);
  await eventRow(ctx, { kind: "subscribers_exported", email: requireUser(ctx).email });
  return streamOf(subscribersCsv(ctx));
}
