import { and, asc, eq, gt } from "drizzle-orm";
import { requireCapability, requireRecentProof, requireUser } from "#worker/access/capabilities.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { noticeExport } from "#worker/accounts/notices.ts";
import type { EnquiryFields, EnquiryKind } from "#worker/enquiries/contract.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";
import { streamOf } from "#worker/platform/http/stream.ts";

/** Rows that are in memory at a time. */
const SLICE = 500;

type Row = typeof enquiries.$inferSelect;
type Cells<K extends EnquiryKind> = [column: string, cell: (row: Row, fields: EnquiryFields[K]) => string][];

/** The columns of each kind, between the common ones. */
const columnsOf: { [K in EnquiryKind]: Cells<K> } = {
  application: [
    ["linkedin_profile", (_, { linkedinProfile }) => linkedinProfile],
    ["topic", (_, { topic }) => topic],
    ["position", (_, { position }) => position],
  ],
  message: [
    ["type", (_, { type }) => type],
    ["subject", (_, { subject }) => subject],
    ["message", (_, { message }) => message],
  ],
  booking: [
    ["organization", (_, { organization }) => organization],
    ["event_name", (_, { eventName }) => eventName],
    ["event_date", (_, { eventDate }) => eventDate],
    ["engagement_type", (_, { engagementType }) => engagementType],
    ["honorarium", (_, { honorarium }) => honorarium],
    ["additional_info", (_, { additionalInfo }) => additionalInfo],
  ],
};

/**
 * All enquiries of a kind as CSV, oldest first, streamed. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`
 */
export async function exportEnquiries<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
): Promise<ReadableStream<Uint8Array>> {
  requireCapability("audience", ctx);
  requireRecentProof(ctx);
  await eventRow(ctx, { kind: "enquiries_exported", email: requireUser(ctx).email, detail: kind });
  await noticeExport(ctx, "Enquiries");
  return streamOf(csvOf(ctx, kind));
}

async function* csvOf<K extends EnquiryKind>(ctx: Context, kind: K) {
  const columns: Cells<K> = [
    ["name", ({ name }) => name],
    ["email", ({ email }) => email],
    ["status", ({ box }) => box ?? ""],
    ...(columnsOf[kind] as Cells<K>),
    ["notes", ({ notes }) => notes],
    ["sent_at", ({ createdAt }) => createdAt.toISOString()],
    ["updated_at", ({ updatedAt }) => updatedAt.toISOString()],
  ];
  yield CSV_MARK + csvLines([columns.map(([column]) => column)]);
  for (let after = 0; ;) {
    const rows = await readSlice(ctx, kind, after);
    const lines = rows.map((row) =>
      columns.map(([, cell]) => cell(row, row.fields as EnquiryFields[K]) ?? ""),
    );
    if (rows.length > 0) yield csvLines(lines);
    if (rows.length < SLICE) return;
    after = rows.at(-1)!.id;
  }
}

const readSlice = ({ db }: Context, kind: EnquiryKind, after: number) =>
  db
    .select()
    .from(enquiries)
    .where(and(eq(enquiries.kind, kind), gt(enquiries.id, after)))
    .orderBy(asc(enquiries.id))
    .limit(SLICE);
