import { asc, gt } from "drizzle-orm";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import { requireCapability, requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import { rowid, summaryColumns } from "#worker/newsletter/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";
import { streamOf } from "#worker/platform/http/stream.ts";
import { namesIn, topicNames } from "#worker/topics/choices.ts";

/** Rows that are in memory at a time. */
const SLICE = 1000;

/**
 * All subscribers as CSV, streamed. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`
 */
export async function exportSubscribers(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  await eventRow(ctx, { kind: "subscribers_exported", email: requireUser(ctx).email });
  await noticeExport(ctx, "All subscribers");
  return streamOf(subscribersCsv(ctx));
}

/** All subscribers, slice by slice. */
export async function* subscribersCsv(ctx: Context) {
  yield CSV_MARK + csvLines([HEADER]);
  for (let after = 0; ;) {
    const rows = await readSlice(ctx, after);
    if (rows.length > 0) yield csvLines(rows.map(toCells));
    if (rows.length < SLICE) return;
    after = rows.at(-1)!.rowid;
  }
}

const HEADER = [
  "email",
  "status",
  "subscribed_at",
  "confirmed_at",
  "unsubscribed_at",
  "paused_until",
  "blocked_at",
  "blocked_reason",
  "source",
  "consent",
  "future_member",
  "topics",
];

const readSlice = ({ db }: Context, after: number) =>
  db
    .select({
      ...summaryColumns,
      unsubscribedAt: subscribers.unsubscribedAt,
      blockedAt: subscribers.blockedAt,
      blockedReason: subscribers.blockedReason,
      consent: subscribers.consent,
      topics: topicNames,
    })
    .from(subscribers)
    .where(gt(rowid, after))
    .orderBy(asc(rowid))
    .limit(SLICE);

const toCells = (row: Awaited<ReturnType<typeof readSlice>>[number]) => [
  row.email,
  row.state,
  timeOf(row.subscribedAt),
  timeOf(row.verifiedAt),
  timeOf(row.unsubscribedAt),
  timeOf(row.pausedUntil),
  timeOf(row.blockedAt),
  row.blockedReason ?? "",
  row.source,
  row.consent,
  row.futureMember ?? "",
  topicsCell(namesIn(row.topics)),
];

/** Empty for every letter; a semicolon alone for one who chose none of the topics. */
const topicsCell = (names: string[] | null) => (names === null ? "" : names.join("; ") || ";");

const timeOf = (at: Date | null) => at?.toISOString() ?? "";
