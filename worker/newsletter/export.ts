import { asc, gt } from "drizzle-orm";
import Papa from "papaparse";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import { rowid, summaryColumns } from "#worker/newsletter/owner-queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Rows that are in memory at a time. */
const SLICE = 1000;

/**
 * All subscribers as CSV, UTF-8 with its mark, which spreadsheets look for; read as fast as it is taken. Stands among the
 * security events.
 * @throws `unauthenticated`, `forbidden`
 */
export async function exportSubscribers(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  requireCapability("audience", ctx);
  await eventRow(ctx, { kind: "subscribers_exported", email: requireUser(ctx).email });
  const encoder = new TextEncoder();
  let after = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`\ufeff${toCsv([HEADER])}`)),
    async pull(controller) {
      const rows = await readSlice(ctx, after);
      if (rows.length > 0) controller.enqueue(encoder.encode(toCsv(rows.map(toCells))));
      const last = rows.at(-1);
      if (last && rows.length === SLICE) after = last.rowid;
      else controller.close();
    },
  });
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
];

const readSlice = ({ db }: Context, after: number) =>
  db
    .select({
      ...summaryColumns,
      unsubscribedAt: subscribers.unsubscribedAt,
      blockedAt: subscribers.blockedAt,
      blockedReason: subscribers.blockedReason,
      consent: subscribers.consent,
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
];

const timeOf = (at: Date | null) => at?.toISOString() ?? "";

/** What a spreadsheet would take for a formula begins with an apostrophe. */
const toCsv = (cells: string[][]) => `${Papa.unparse(cells, { escapeFormulae: true })}\r\n`;
