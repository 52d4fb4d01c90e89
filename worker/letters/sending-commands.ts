import { and, eq, exists, inArray, lte, sql, type SQL } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { SendLetter, type EditableLetter, type LetterStatus } from "#worker/letters/contract.ts";
import { requireSendable } from "#worker/letters/check.ts";
import { countedAnew } from "#worker/letters/deliveries.ts";
import {
  hasStatus,
  isWritable,
  letterNotFound,
  readLetter,
  toEditable,
  writableStatuses,
} from "#worker/letters/queries.ts";
import { SLICE_TOPIC, type Slice } from "#worker/letters/queue.ts";
import { answersOf } from "#worker/letters/answer-counts.ts";
import { letterLinksOf } from "#worker/letters/counted-links.ts";
import { renderLetter } from "#worker/letters/render.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import { letterProvider } from "#worker/mail/providers.ts";
import { recipientIds } from "#worker/newsletter/recipient-queries.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueueTo, outboxRowIf } from "#worker/platform/work/outbox.ts";

const NOBODY = "No one would get this letter. Choose other recipients, or wait for your first subscriber.";

/**
 * Sends a letter to its segment, immediately or at a time. One statement fixes the recipients when the sending starts.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` for a time that has passed, a letter without subject
 * or content, and one without recipients; `conflict` for one that is sent already or was changed since `basedOn`, and
 * where no email can leave
 */
export async function sendLetter(ctx: Context, id: number, input: SendLetter): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  const { scheduledFor, basedOn } = parseInput(SendLetter, input);
  const letter = await readLetter(ctx, id);
  if (!isWritable(letter.status)) throw notNow(letter.status);
  if (basedOn !== undefined && basedOn !== letter.updatedAt) throw changedMeanwhile(scheduledFor !== null);
  return scheduledFor === null
    ? startSending(ctx, letter)
    : schedule(ctx, letter, { scheduledFor, isReviewed: basedOn !== undefined });
}

type Plan = {
  scheduledFor: number;
  /** Whether the owner reviewed this version. */
  isReviewed: boolean;
};

async function schedule(ctx: Context, letter: EditableLetter, { scheduledFor, isReviewed }: Plan) {
  if (scheduledFor <= ctx.now.getTime()) {
    throw new AppError("invalid", "Choose a time in the future.", { field: "scheduledFor" });
  }
  const { id } = letter;
  requireSendable(letter.values, (await renderLetter(ctx, { id, ...letter.values })).mail);
  endOfQuestion(letter, scheduledFor);
  const planned = { status: "scheduled", scheduledFor: new Date(scheduledFor), pausedReason: null } as const;
  const isAsRead = isReviewed ? eq(letters.updatedAt, new Date(letter.updatedAt)) : undefined;
  const [moved] = await move(ctx, id, [...writableStatuses], planned, isAsRead);
  if (moved) return toEditable(moved);
  const { status } = await readLetter(ctx, id);
  throw isWritable(status) ? changedMeanwhile(true) : notNow(status);
}

/**
 * Makes a scheduled letter a draft again.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is not scheduled
 */
export async function unscheduleLetter(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  return moveOrRefuse(ctx, id, ["scheduled"], { status: "draft", scheduledFor: null });
}

/**
 * Pauses the rest of a letter. Emails that are being submitted still leave.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is not being sent
 */
export async function pauseLetter(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  return moveOrRefuse(ctx, id, ["sending"], { status: "paused", pausedReason: null });
}

/** @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is not paused, and where no email can leave */
export async function resumeLetter(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  requireProvider(ctx);
  const resumed = move(ctx, id, ["paused"], { status: "sending", pausedReason: null });
  return startSlice(ctx, id, resumed);
}

/**
 * Ends a letter for good: the remaining recipients do not get it. Emails that are being submitted still leave.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for one that is not being sent
 */
export async function cancelLetter(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  const cancel = move(ctx, id, ["sending", "paused"], {
    status: "cancelled",
    finishedAt: ctx.now,
    pausedReason: null,
  });
  const skip = ctx.db
    .update(deliveries)
    .set({ status: "skipped", settledAt: ctx.now })
    .where(and(eq(deliveries.letterId, id), eq(deliveries.status, "queued"), hasStatus(id, "cancelled")));
  const count = ctx.db
    .update(letters)
    .set(countedAnew(id))
    .where(and(eq(letters.id, id), eq(letters.status, "cancelled")))
    .returning();
  const expire = changed(ctx, archiveTags(id, "cancelled"));
  const [cancelled, , [counted]] = await ctx.db.batch([cancel, skip, count, expire]);
  if (cancelled.length === 0) throw await refusalOf(ctx, id);
  return toEditable(counted!);
}

/**
 * Resends a letter to the recipients of uncertain deliveries, under the same Message-ID.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` where there are none, or while it is being sent
 */
export async function resendUncertain(ctx: Context, id: number): Promise<EditableLetter> {
  requireCapability("audience", ctx);
  requireProvider(ctx);
  const requeue = ctx.db
    .update(deliveries)
    .set({ status: "queued", attempts: 0, notBefore: ctx.now, claim: null, settledAt: null })
    .where(and(eq(deliveries.letterId, id), eq(deliveries.status, "uncertain"), hasStatus(id, "sent")));
  const reopen = ctx.db
    .update(letters)
    .set({ status: "sending", finishedAt: null, uncertain: 0 })
    .where(and(eq(letters.id, id), eq(letters.status, "sent"), sql`changes() > 0`))
    .returning();
  const slice = firstSlice(ctx, id);
  const [, [reopened]] = await ctx.db.batch([requeue, reopen, slice.statement]);
  if (!reopened) throw await refusalOf(ctx, id);
  slice.enqueue();
  return toEditable(reopened);
}

/**
 * Starts the letters that are due. One that cannot be sent becomes a draft again, with the reason; one that changes during
 * the check is retried in a minute.
 */
export async function sendDueLetters(ctx: Context) {
  const due = await ctx.db
    .select()
    .from(letters)
    .where(and(eq(letters.status, "scheduled"), lte(letters.scheduledFor, ctx.now)));
  for (const row of due) {
    try {
      await startSending(ctx, toEditable(row));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const reason = `It wasn’t sent as planned: ${error.message}`;
      const draft = { status: "draft", scheduledFor: null, pausedReason: reason } as const;
      await move(ctx, row.id, ["scheduled"], draft, eq(letters.updatedAt, row.updatedAt));
    }
  }
}

/** Freezes the recipients and the shared email, and starts the sending, if the letter is unchanged since it was read. */
async function startSending(ctx: Context, letter: EditableLetter) {
  requireProvider(ctx);
  const { id } = letter;
  const { mail, counted } = await renderLetter(ctx, { id, ...letter.values });
  requireSendable(letter.values, mail);
  const questionClosesAt = endOfQuestion(letter, ctx.now.getTime());
  const isAsRead = and(
    eq(letters.id, id),
    inArray(letters.status, writableStatuses),
    eq(letters.updatedAt, new Date(letter.updatedAt)),
  );
  const isOpen = exists(ctx.db.select({ id: letters.id }).from(letters).where(isAsRead));
  const freeze = ctx.db.insert(deliveries).select(
    sql`select null, ${id}, id, 'queued', 0, ${ctx.now.getTime()}, null, null, null, null, null, null
      from (${recipientIds(ctx, letter.values.segment)}) where ${isOpen}`,
  );
  const start = ctx.db
    .update(letters)
    .set({
      status: "sending",
      recipients: sql`changes()`,
      mail,
      startedAt: ctx.now,
      questionClosesAt,
      scheduledFor: null,
      pausedReason: null,
    })
    .where(and(isAsRead, sql`changes() > 0`))
    .returning();
  const slice = firstSlice(ctx, id);
  const [, [started]] = await ctx.db.batch([
    freeze,
    start,
    slice.statement,
    changed(ctx, archiveTags(id, "sending")),
    ...(counted.links.length > 0 ? [letterLinksOf(ctx, id, counted, hasStatus(id, "sending"))] : []),
    ...(letter.values.question ? [answersOf(ctx, id, letter.values.question, hasStatus(id, "sending"))] : []),
  ]);
  if (!started) throw await whyNotStarted(ctx, letter);
  slice.enqueue();
  return toEditable(started);
}

/** Milliseconds that a question is open without a date, and at most. */
const QUESTION_LASTS = 90 * 86_400_000;
const QUESTION_LASTS_AT_MOST = 366 * 86_400_000;

/**
 * When the question of a letter that is sent at a time ends; null without one.
 * @throws `invalid`
 */
function endOfQuestion({ values: { question } }: EditableLetter, sentAt: number) {
  if (question === null) return null;
  const closesAt = question.closesAt ?? sentAt + QUESTION_LASTS;
  if (closesAt > sentAt && closesAt <= sentAt + QUESTION_LASTS_AT_MOST) return new Date(closesAt);
  const message =
    closesAt > sentAt
      ? "The letter’s question would be open for more than a year. Choose an earlier date for its end."
      : "The letter’s question would end before the letter is sent. Choose a later date for its end.";
  throw new AppError("invalid", message, { field: "question.closesAt" });
}

async function whyNotStarted(ctx: Context, { id, updatedAt }: EditableLetter) {
  const meanwhile = await readLetter(ctx, id);
  if (!isWritable(meanwhile.status)) return notNow(meanwhile.status);
  if (meanwhile.updatedAt !== updatedAt) return changedMeanwhile(false);
  return new AppError("invalid", NOBODY, { field: "segment" });
}

function changedMeanwhile(isPlanned: boolean) {
  const [done, verb] = isPlanned ? ["scheduled", "schedule"] : ["sent", "send"];
  const message = `This letter has changed, and wasn’t ${done}. Check it before you ${verb} it.`;
  return new AppError("conflict", message);
}

/** SQL: the cache tags that show a letter of the archive, if the letter has this status now. */
function archiveTags(id: number, status: LetterStatus) {
  const isIt = sql`from ${letters} where ${letters.id} = ${id} and ${letters.isPublic} = 1 and ${letters.status} = ${status}`;
  return sql`select 'letters' as tag ${isIt} union select ${`letter:${id}`} ${isIt}`;
}

/** The outbox row of the first slice, written if the statement before it in the batch changed the letter. */
function firstSlice(ctx: Context, letterId: number) {
  const slice: Slice = { letterId, isFirst: true };
  const { id, statement } = outboxRowIf(ctx, SLICE_TOPIC, slice, sql`changes() > 0`);
  return { statement, enqueue: () => enqueueTo(ctx, ctx.letters, [id]) };
}

async function startSlice(ctx: Context, id: number, change: ReturnType<typeof move>) {
  const slice = firstSlice(ctx, id);
  const [[moved]] = await ctx.db.batch([change, slice.statement]);
  if (!moved) throw await refusalOf(ctx, id);
  slice.enqueue();
  return toEditable(moved);
}

/** The statement that changes a letter if it has one of these statuses and `isIt` holds; returns the changed row. */
const move = (
  ctx: Context,
  id: number,
  from: LetterStatus[],
  to: Partial<typeof letters.$inferInsert>,
  isIt?: SQL,
) =>
  ctx.db
    .update(letters)
    .set({ ...to, updatedAt: ctx.now })
    .where(and(eq(letters.id, id), inArray(letters.status, from), isIt))
    .returning();

async function moveOrRefuse(...[ctx, id, from, to]: Parameters<typeof move>) {
  const [moved] = await move(ctx, id, from, to);
  if (!moved) throw await refusalOf(ctx, id);
  return toEditable(moved);
}

async function refusalOf(ctx: Context, id: number) {
  const [row] = await ctx.db.select({ status: letters.status }).from(letters).where(eq(letters.id, id));
  return row ? notNow(row.status) : letterNotFound();
}

const WORDS: Record<LetterStatus, string> = {
  draft: "is a draft",
  scheduled: "is scheduled",
  sending: "is being sent",
  paused: "is paused",
  sent: "was sent",
  cancelled: "was cancelled",
};

const notNow = (status: LetterStatus) =>
  new AppError("conflict", `You can’t do that now: this letter ${WORDS[status]}.`);

function requireProvider(ctx: Context) {
  if (letterProvider(ctx)) return;
  throw new AppError("conflict", "No mail server is set, so letters can’t be sent. See Settings ▸ Email.");
}
