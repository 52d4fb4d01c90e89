import { asc, gt } from "drizzle-orm";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import { requireCapability, requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import { selectMembers, toMember } from "#worker/members/owner-queries.ts";
import { members } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";
import { streamOf } from "#worker/platform/http/stream.ts";

/** Rows that are in memory at a time. */
const SLICE = 1000;

/**
 * All members as CSV, streamed. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`
 */
export async function exportMembers(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  await eventRow(ctx, { kind: "members_exported", email: requireUser(ctx).email });
  await noticeExport(ctx, "All members");
  return streamOf(membersCsv(ctx));
}

/** All members, slice by slice. */
export async function* membersCsv(ctx: Context) {
  yield CSV_MARK + csvLines([HEADER]);
  for (let after = 0; ;) {
    const rows = await selectMembers(ctx).where(gt(members.id, after)).orderBy(asc(members.id)).limit(SLICE);
    if (rows.length > 0) yield csvLines(rows.map((row) => toCells(ctx, row)));
    if (rows.length < SLICE) return;
    after = rows.at(-1)!.id;
  }
}

const HEADER = ["email", "tier", "state", "source", "since", "until"];

function toCells(ctx: Context, row: Parameters<typeof toMember>[1]) {
  const { email, tier, state, source, since, until } = toMember(ctx, row);
  return [email, tier, state, source, timeOf(since), until === null ? "" : timeOf(until)];
}

const timeOf = (at: number) => new Date(at).toISOString();
