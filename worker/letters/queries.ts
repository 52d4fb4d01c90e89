import { and, desc, eq, inArray, sql, gte, isNotNull, lt } from "drizzle-orm";
import type { z } from "zod";
import { isAllowed, requireCapability } from "#worker/access/capabilities.ts";
import {
  Segment,
  segmentOf,
  type EditableLetter,
  type LetterCounts,
  type LetterInput,
  type LetterListQuery,
  type LetterStatus,
  type LetterSummary,
  type Origin,
} from "#worker/letters/contract.ts";
import { letters } from "#worker/letters/table.ts";
import { countRecipients } from "#worker/newsletter/recipient-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { olderThanId, pageOf } from "#worker/platform/data/keyset.ts";

const LIST_ROWS = 30;

export const countColumns = {
  recipients: letters.recipients,
  sent: letters.sent,
  failed: letters.failed,
  skipped: letters.skipped,
  uncertain: letters.uncertain,
  bounced: letters.bounced,
  complained: letters.complained,
  unsubscribed: letters.unsubscribed,
};

/** Without the texts, which are long. */
export const summaryColumns = {
  id: letters.id,
  subject: letters.subject,
  status: letters.status,
  scheduledFor: letters.scheduledFor,
  startedAt: letters.startedAt,
  finishedAt: letters.finishedAt,
  pausedReason: letters.pausedReason,
  automaticLetterId: letters.automaticLetterId,
  updatedAt: letters.updatedAt,
  ...countColumns,
};

export type LetterRow = typeof letters.$inferSelect;

/**
 * Every letter, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listLetters(ctx: Context, { before }: z.output<typeof LetterListQuery> = {}) {
  requireCapability("audience", ctx);
  const rows = await ctx.db
    .select(summaryColumns)
    .from(letters)
    .where(before === undefined ? undefined : olderThanId(before, letters.id))
    .orderBy(desc(letters.id))
    .limit(LIST_ROWS + 1);
  return pageOf(rows.map(toSummary), LIST_ROWS, ({ id }) => String(id));
}

/**
 * A letter as its owner edits it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readLetter(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  return toEditable(await readLetterRow(ctx, id));
}

/**
 * The newest letter made from an article or episode; null if there is none, undefined for a user who may not write
 * letters.
 */
export async function findLetterOf(
  ctx: Context,
  { kind, id }: Origin,
): Promise<LetterSummary | null | undefined> {
  if (!isAllowed("audience", ctx)) return undefined;
  const [row] = await ctx.db
    .select(summaryColumns)
    .from(letters)
    .where(and(eq(letters.originKind, kind), eq(letters.originId, id)))
    .orderBy(desc(letters.id))
    .limit(1);
  return row ? toSummary(row) : null;
}

/** @throws `not_found` */
export async function readLetterRow({ db }: Context, id: number): Promise<LetterRow> {
  const [row] = await db.select().from(letters).where(eq(letters.id, id));
  if (!row) throw letterNotFound();
  return row;
}

/** SQL: the letter has one of these states. */
export const hasStatus = (id: number, ...statuses: LetterStatus[]) =>
  sql`exists (select 1 from ${letters} where ${letters.id} = ${id} and ${inArray(letters.status, statuses)})`;

/** The statuses in which a letter can still be edited. */
export const writableStatuses = ["draft", "scheduled"] as const;
export const isWritable = (status: LetterRow["status"]) =>
  (writableStatuses as readonly string[]).includes(status);

/**
 * The current number of recipients of a segment.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function readRecipientCount(ctx: Context, segment: Segment) {
  requireCapability("audience", ctx);
  return countRecipients(ctx, parseInput(Segment, segment));
}

export const letterNotFound = () => new AppError("not_found", "There is no such letter.");

export const toEditable = (row: LetterRow): EditableLetter => ({
  ...toSummary(row),
  values: toInput(row),
  origin: row.originKind && row.originId ? { kind: row.originKind, id: row.originId } : null,
});

/** The columns that the owner edits. */
export const toInput = ({
  subject,
  preheader,
  content,
  segment,
  isPublic,
  question,
}: LetterRow): LetterInput => ({
  subject,
  preheader,
  content,
  segment: segmentOf(segment),
  isPublic,
  question,
});

type SummaryColumns = Pick<LetterRow, keyof typeof summaryColumns>;

export const toSummary = (row: SummaryColumns): LetterSummary => ({
  id: row.id,
  subject: row.subject,
  status: row.status,
  scheduledFor: row.scheduledFor?.getTime() ?? null,
  startedAt: row.startedAt?.getTime() ?? null,
  finishedAt: row.finishedAt?.getTime() ?? null,
  pausedReason: row.pausedReason,
  isAutomatic: row.automaticLetterId !== null,
  updatedAt: row.updatedAt.getTime(),
  counts: countsOf(row),
});

export function countsOf(row: Pick<LetterRow, keyof typeof countColumns>): LetterCounts {
  const { recipients, sent, failed, skipped, uncertain, bounced, complained, unsubscribed } = row;
  const queued = recipients - sent - failed - skipped - uncertain;
  return { recipients, queued, sent, failed, skipped, uncertain, bounced, complained, unsubscribed };
}

const LIST = 20;

/** The statement of the letters whose sending began between two times, the newest first. */
export const selectLettersStarted = ({ db }: Context, { from, to }: { from: Date; to: Date }) =>
  db
    .select({ id: letters.id, subject: letters.subject, startedAt: letters.startedAt, ...countColumns })
    .from(letters)
    .where(and(isNotNull(letters.startedAt), gte(letters.startedAt, from), lt(letters.startedAt, to)))
    .orderBy(desc(letters.startedAt))
    .limit(LIST);

type Row = Awaited<ReturnType<typeof selectLettersStarted>>[number];

export const toFigures = ({ id, subject, startedAt, ...row }: Row) => ({
  id,
  subject,
  startedAt: startedAt!.getTime(),
  counts: countsOf(row),
});
