import { and, desc, lt } from "drizzle-orm";
import { requireCapability, requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";
import type { SecurityEventQuery } from "#worker/accounts/contract.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import { isSought } from "#worker/accounts/queries.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";
import { streamOf } from "#worker/platform/http/stream.ts";

/** Rows that are in memory at a time. */
const SLICE = 1000;

/**
 * The audit log as CSV, newest first, streamed: all of it, or what the query asks for. It has the network addresses of all
 * users, so it needs a recent proof, and is an event of its own, which is mailed about.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`
 */
export async function exportSecurityEvents(
  ctx: Context,
  { before: _before, ...filters }: SecurityEventQuery,
): Promise<ReadableStream<Uint8Array>> {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  await eventRow(ctx, { kind: "log_exported", email: requireUser(ctx).email });
  await noticeExport(ctx, "Entries of the security log");
  return streamOf(linesOf(ctx, filters));
}

async function* linesOf(ctx: Context, filters: SecurityEventQuery) {
  yield CSV_MARK + csvLines([HEADER]);
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await readSlice(ctx, filters, before);
    if (rows.length > 0) yield csvLines(rows.map(toCells));
    if (rows.length < SLICE) return;
    before = rows.at(-1)!.id;
  }
}

const HEADER = ["id", "time", "event", "account", "by", "address", "browser", "detail"];

const readSlice = ({ db }: Context, filters: SecurityEventQuery, before: number) =>
  db
    .select()
    .from(securityEvents)
    .where(and(isSought(filters), lt(securityEvents.id, before)))
    .orderBy(desc(securityEvents.id))
    .limit(SLICE);

const toCells = ({
  id,
  at,
  kind,
  email,
  by,
  address,
  userAgent,
  detail,
}: typeof securityEvents.$inferSelect) => [
  String(id),
  at.toISOString(),
  kind,
  email,
  by ?? "",
  address,
  userAgent,
  detail ?? "",
];
