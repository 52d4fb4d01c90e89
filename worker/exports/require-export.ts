import { requireCapability, requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import { eventRowOnce } from "#worker/accounts/audit-log.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import { WHILE_RESTORING } from "#worker/exports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { findStartedRestore } from "#worker/restores/queries.ts";

/**
 * Of any part of the export, which has people as well as settings. A site that is being restored is refused: its export
 * would look whole, and lack what is not restored yet. `lasts`: milliseconds for which a proof of who the user is counts, if
 * more than those of a first request.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `conflict` during a restore
 */
export async function requireExport(ctx: Context, lasts?: number) {
  requireCapability("settings", ctx);
  requireCapability("audience", ctx);
  requireRecentProof(ctx, lasts);
  if ((await findStartedRestore(ctx)) !== null) throw new AppError("conflict", WHILE_RESTORING);
}

/**
 * Logs an export, or a part of it, as a security event, unless it was logged within the last milliseconds; and mails a notice,
 * one for all the parts.
 */
export async function recordExport(ctx: Context, detail: string | null = null, within?: number) {
  await eventRowOnce(ctx, { kind: "site_exported", email: requireUser(ctx).email, detail }, within);
  await noticeExport(ctx, "The site’s contents");
}
