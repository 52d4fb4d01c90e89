import { requireCapability, requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import { eventRowOnce } from "#worker/accounts/audit-log.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import { BEGIN_AGAIN, WHILE_RESTORING } from "#worker/exports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";
import { findStartedRestore } from "#worker/restores/queries.ts";

/**
 * Of the request that begins an export, which has people as well as settings. A site that is being restored is refused: its
 * export would look whole, and lack what is not restored yet.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `conflict` during a restore
 */
export async function requireExport(ctx: Context) {
  requireExporter(ctx);
  requireRecentProof(ctx);
  await refuseWhileRestoring(ctx);
}

/**
 * The roles that may export.
 * @throws `unauthenticated`, `forbidden`
 */
export function requireExporter(ctx: Context) {
  requireCapability("settings", ctx);
  requireCapability("audience", ctx);
}

async function refuseWhileRestoring(ctx: Context) {
  if ((await findStartedRestore(ctx)) !== null) throw new AppError("conflict", WHILE_RESTORING);
}

const PURPOSE = "export";
/** Seconds. */
export const PERMIT_LASTS = 3600;

/**
 * What the later requests of an export show instead of a recent proof: a token of the session and the export that they belong
 * to. Without that session, it is of no use.
 */
export const permitFor = (ctx: Context, exported: string) =>
  signLink(ctx, { purpose: PURPOSE, subject: sessionOf(ctx), stamp: exported }, PERMIT_LASTS);

/**
 * Of a later request.
 * @throws `unauthenticated`, `forbidden`; `conflict` if this session has not begun the export within the last hour, or during a
 * restore
 */
export async function requirePermit(ctx: Context, permit: string, exported: string) {
  requireExporter(ctx);
  await refuseWhileRestoring(ctx);
  const read = await readLink(ctx, PURPOSE, permit);
  if (!read.ok || read.subject !== sessionOf(ctx) || read.stamp !== exported)
    throw new AppError("conflict", BEGIN_AGAIN);
}

const sessionOf = (ctx: Context) => {
  const { id, sessionId } = requireUser(ctx);
  return `${id} ${sessionId}`;
};

/**
 * Logs an export, or a part of it, as a security event, unless it was logged within the last milliseconds; and mails a notice,
 * one for all the parts.
 */
export async function recordExport(ctx: Context, detail: string | null = null, within?: number) {
  await eventRowOnce(ctx, { kind: "site_exported", email: requireUser(ctx).email, detail }, within);
  await noticeExport(ctx, "The site’s contents");
}
