import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { requireCapability } from "#worker/access/capabilities.ts";
import { allPending } from "#worker/comments/owner-queries.ts";
import type { EnquiryFields, EnquiryKind } from "#worker/enquiries/contract.ts";
import type {
  EnquiryCounts,
  EnquiryDetails,
  EnquiryListQuery,
  EnquirySummary,
  SentMail,
} from "#worker/enquiries/owner/contract.ts";
import { isPlanned } from "#worker/enquiries/owner/planned.ts";
import { findEnquiries } from "#worker/enquiries/owner/search.ts";
import { isIn, LIST_ROWS, summaryColumns, toSummaries, toSummary } from "#worker/enquiries/owner/summary.ts";
import { enquiries, enquiryCounts, enquiryMails } from "#worker/enquiries/table.ts";
import type { Person } from "#worker/episodes/contract.ts";
import { readEpisodeTitles } from "#worker/episodes/owner-queries.ts";
import { fate, fateOf } from "#worker/mail/log.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";
import { outbox } from "#worker/platform/table.ts";
import { readEngagementTitle } from "#worker/speaking/owner-queries.ts";

/** Maximum code units of a person's name in an episode. */
const MAX_NAME = 128;
/** Maximum emails on an enquiry's page. */
const MOST_MAILS = 50;

/**
 * Enquiries of a kind, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listEnquiries<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
  { box, q, before }: EnquiryListQuery = {},
): Promise<{ items: EnquirySummary<K>[]; next: string | null }> {
  requireCapability("audience", ctx);
  const older = before === undefined ? undefined : olderThanId(before, enquiries.id);
  if (q) return findEnquiries<K>(ctx, kind, { q, box, before });
  const rows = await ctx.db
    .select(summaryColumns)
    .from(enquiries)
    .where(and(eq(enquiries.kind, kind), isIn(box), older))
    .orderBy(desc(enquiries.id))
    .limit(LIST_ROWS + 1);
  const { items, next } = pageOf(rows, LIST_ROWS, ({ id }) => String(id));
  return { items: await toSummaries<K>(ctx, items), next };
}

/**
 * The counts of all boxes, and of pending comments, in one statement.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readEnquiryCounts(ctx: Context): Promise<EnquiryCounts> {
  requireCapability("audience", ctx);
  const rows = await ctx.db.all<{ kind: EnquiryKind | "comments"; box: string; count: number }>(sql`
    select ${enquiryCounts.kind} as kind, ${enquiryCounts.box} as box, ${enquiryCounts.count} as count
    from ${enquiryCounts}
    union all select 'comments', '', ${allPending}`);
  const counts: EnquiryCounts = { application: {}, message: {}, booking: {}, comments: 0 };
  for (const { kind, box, count } of rows) {
    if (kind === "comments") counts.comments = count;
    else counts[kind][box as keyof EnquiryCounts[EnquiryKind]] = count;
  }
  return counts;
}

/**
 * An enquiry with its notes, the emails to its sender, and what it became. Reads all of it together, also in the batch
 * of a write, whose SQL may select the id.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readEnquiry<K extends EnquiryKind>(
  ctx: Context,
  kind: K,
  id: number | SQL<number>,
): Promise<EnquiryDetails<K>> {
  requireCapability("audience", ctx);
  const of = (column: SQLiteColumn) =>
    sql`(select ${column} from ${enquiries} where ${enquiries.id} = ${id})`;
  const [row, mails, recording, engagement, episodes] = await Promise.all([
    readEnquiryRow(ctx, kind, id),
    listMailsOf(ctx, id),
    kind === "application" ? findRecording(ctx, id) : null,
    kind === "booking" ? readEngagementTitle(ctx, of(enquiries.engagementId)) : null,
    kind === "application" ? readEpisodeTitles(ctx, of(enquiries.episodeId)) : [],
  ]);
  return {
    ...toSummary<K>(row, episodes),
    notes: row.notes,
    notesAt: row.notesAt?.getTime() ?? 0,
    updatedAt: row.updatedAt.getTime(),
    mails,
    recording,
    engagement,
  };
}

/**
 * An approved applicant as a guest of an episode.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for an application that is not approved
 */
export async function readGuest(ctx: Context, id: number): Promise<Person> {
  requireCapability("audience", ctx);
  const { box, name, fields } = await readEnquiryRow(ctx, "application", id);
  if (box !== "approved") throw new AppError("conflict", "Approve the application first.");
  const { linkedinProfile } = fields as EnquiryFields["application"];
  return { name: shortened(name), role: "guest", group: "cast", href: linkedinProfile || null };
}

/** Does not cut within a surrogate pair. */
const shortened = (name: string) => name.slice(0, MAX_NAME).replace(/[\ud800-\udbff]$/, "");

/** @throws `not_found`, also for one of another kind */
export async function readEnquiryRow({ db }: Context, kind: EnquiryKind, id: number | SQL<number>) {
  const [row] = await db
    .select()
    .from(enquiries)
    .where(and(eq(enquiries.id, id), eq(enquiries.kind, kind)));
  if (!row) throw enquiryNotFound(kind);
  return row;
}

async function listMailsOf(ctx: Context, enquiryId: number | SQL<number>): Promise<SentMail[]> {
  const rows = await ctx.db
    .select({ mail: enquiryMails, fate })
    .from(enquiryMails)
    .leftJoin(outbox, eq(outbox.id, enquiryMails.outboxId))
    .where(eq(enquiryMails.enquiryId, enquiryId))
    .orderBy(desc(enquiryMails.id))
    .limit(MOST_MAILS);
  return rows.map(({ mail, fate: found }) => ({
    id: mail.id,
    subject: mail.subject,
    body: mail.body,
    sentBy: mail.sentBy,
    sentAt: mail.sentAt.getTime(),
    outboxId: mail.outboxId,
    recordingAt: mail.recordingAt?.getTime() ?? null,
    isCancellation: mail.isCancellation,
    // Null if it was deleted.
    ...(found ? fateOf(found) : { state: null, lastError: null }),
  }));
}

/** The future recording to which an applicant is invited. */
async function findRecording(ctx: Context, enquiryId: number | SQL<number>) {
  const [row] = await ctx.db
    .select({ at: enquiryMails.recordingAt })
    .from(enquiryMails)
    .where(and(eq(enquiryMails.enquiryId, enquiryId), isPlanned(ctx)));
  return row?.at ? { at: row.at.getTime() } : null;
}

export const enquiryNotFound = (kind: EnquiryKind) => new AppError("not_found", `There is no such ${kind}.`);
