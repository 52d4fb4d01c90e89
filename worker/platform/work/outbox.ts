import {
  and,
  eq,
  getTableColumns,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { Context, JobMessage, Jobs } from "#worker/platform/context.ts";
import { describeError, logError } from "#worker/platform/log.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";
import {
  claimRows,
  isFree,
  isHeld,
  nextTry,
  whileRenewed,
  type Held,
  type Work,
} from "#worker/platform/work/leases.ts";

/** Milliseconds from a row's creation in which a wait that a `BusyError` names is no attempt. */
const BUSY_MS = 2 * 86_400_000;
/** Milliseconds for which the sweep leaves a new row to its queue message. */
const SWEEP_AFTER_MS = 30_000;
/** Mails hold links and addresses, which are not kept for ever. */
const KEEP_MS = 30 * 86_400_000;
/** Milliseconds in which a new body gets its first row. */
const KEEP_UNUSED_MS = 86_400_000;
/** Messages of one sendBatch. */
const MAX_BATCH = 100;

/** The queues of the topics that have one of their own; the rows of the others go to JOBS. */
export type Queues = Record<string, Jobs>;
type TopicRow = Pick<OutboxRow, "id" | "topic">;

export type OutboxRow = typeof outbox.$inferSelect;

const isOpen = and(isNull(outbox.doneAt), isNull(outbox.failedAt))!;
const work: Work = {
  name: "outbox",
  table: outbox,
  isWaiting: and(isOpen, isNull(outbox.claimedUntil))!,
  isClaimed: and(isOpen, isNotNull(outbox.claimedUntil))!,
  lapsesAt: "claimedUntil",
  maxAttempts: 8,
};

/** A delivery that no further attempt would bring about. */
export class PermanentError extends Error {}

/** The receiver refuses every delivery for the moment, whatever it holds. */
export class BusyError extends Error {
  /** Milliseconds until it is worth asking again, where the receiver says so. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Delivers one payload; throwing means that it is tried again, unless it throws a `PermanentError`. After a `BusyError`
 * that names a time it is tried again then, for two days without counting as an attempt.
 */
export type Deliver = (ctx: Context, payload: unknown, row: OutboxRow) => Promise<void>;
export type Handlers = Record<string, Deliver>;

/**
 * A row to put into the same batch as the write that it follows from; `enqueue` it once the batch stands. One that is to
 * be written only once has an id of its own.
 */
export function outboxRow(
  ctx: Context,
  topic: string,
  payload: unknown,
  { id = crypto.randomUUID() as string, notBefore = ctx.now } = {},
) {
  const statement = ctx.db.insert(outbox).values({ id, topic, payload, createdAt: ctx.now, notBefore });
  return { id, statement };
}

/** The same, written only if the condition holds. A message for a row that was not written does nothing. */
export function outboxRowIf(
  ctx: Context,
  topic: string,
  payload: unknown,
  isDue: SQL,
  { notBefore = ctx.now } = {},
) {
  const id = crypto.randomUUID();
  const statement = ctx.db.insert(outbox).select(
    sql`select ${id}, ${topic}, ${JSON.stringify(payload)}, ${ctx.now.getTime()}, 0, ${notBefore.getTime()}, null, null, null, null, null, null
      where ${isDue}`,
  );
  return { id, statement };
}

/** What many rows are to share, and the statement that writes it. Its rows follow within a day. */
export function outboxBody(ctx: Context, content: unknown) {
  const id = crypto.randomUUID();
  return { id, statement: ctx.db.insert(outboxBodies).values({ id, content, createdAt: ctx.now }) };
}

/** `spacing`: milliseconds by which each row is due after the one before it. */
type Rows = { bodyId: string; spacing?: number };

/** Many rows in one statement, which all refer to the body. */
export function outboxRows(ctx: Context, topic: string, payloads: unknown[], { bodyId, spacing = 0 }: Rows) {
  const now = ctx.now.getTime();
  const rows = payloads.map((payload, index) => ({
    id: crypto.randomUUID(),
    payload,
    notBefore: now + index * spacing,
  }));
  // As JSON, which one parameter carries: D1 takes 100 parameters a statement.
  const statement = ctx.db.insert(outbox).select(
    sql`select value ->> 'id', ${topic}, value -> 'payload', ${now}, 0, value ->> 'notBefore', null, null, null, null, ${bodyId}, null
      from json_each(${JSON.stringify(rows)})`,
  );
  return { ids: rows.map(({ id }) => id), statement };
}

/** The content of the body that a row refers to; null for a row without one. */
export async function readBody({ db }: Context, { bodyId }: Pick<OutboxRow, "bodyId">) {
  if (bodyId === null) return null;
  const [body] = await db.select().from(outboxBodies).where(eq(outboxBodies.id, bodyId));
  return body!.content;
}

/**
 * The statements that write one row for all changes of the same payload that come shortly after each other, and its id if
 * none of them waits. Each change puts the delivery off until `delayMs` after it. Nothing is written unless `isDue`.
 */
export function outboxRowOnce(
  { db, now }: Context,
  topic: string,
  payload: unknown,
  { isDue, delayMs }: { isDue: SQL; delayMs: number },
) {
  const id = crypto.randomUUID();
  const json = JSON.stringify(payload);
  const isWaiting = and(
    eq(outbox.topic, topic),
    sql`${outbox.payload} = ${json}`,
    eq(outbox.attempts, 0),
    isNull(outbox.doneAt),
    isNull(outbox.failedAt),
    gte(outbox.createdAt, after(now, -JOIN_MS)),
  );
  const waiting = db.select({ id: outbox.id }).from(outbox).where(isWaiting).limit(1);
  const notBefore = after(now, delayMs);
  const hold = db.update(outbox).set({ notBefore }).where(and(isWaiting, isDue));
  const insert = db.insert(outbox).select(
    sql`select ${id}, ${topic}, ${json}, ${now.getTime()}, 0, ${notBefore.getTime()}, null, null, null, null, null, null
      where ${isDue} and not exists ${waiting}`,
  );
  return { id, statements: [hold, insert] as const, waitingId: sql<string | null>`${waiting}` };
}

/** Milliseconds after which a row takes in no further change, so that a long series does not put it off for ever. */
const JOIN_MS = 120_000;

/** Makes delivery prompt. A failure here is not one of the write: the sweep finds the row. */
export function enqueue(ctx: Context, ...ids: string[]) {
  for (let from = 0; from < ids.length; from += MAX_BATCH) {
    sendMessages(ctx, ctx.jobs, ids.slice(from, from + MAX_BATCH).map(messageOf));
  }
}

/** The same for a row that is not to be delivered before; a message for a row that was not written does nothing. */
export function enqueueLater(ctx: Context, id: string, delayMs: number, queue = ctx.jobs) {
  sendMessages(ctx, queue, [delayedMessageOf(id, delayMs)]);
}

/** The same for at most 100 rows that are due one after the other, so many milliseconds apart. */
export const enqueueSpaced = (ctx: Context, ids: string[], spacing: number) =>
  sendMessages(
    ctx,
    ctx.jobs,
    ids.map((id, index) => delayedMessageOf(id, index * spacing)),
  );

/** The same for rows of any topic. */
export const enqueueByTopic = (ctx: Context, queues: Queues, rows: TopicRow[]) =>
  ctx.later(sendByTopic(ctx, queues, rows).catch(noteUnsent));

/** The same for rows whose topic has a queue of its own. */
export const enqueueTo = (ctx: Context, queue: Jobs, ids: string[]) =>
  sendMessages(ctx, queue, ids.map(messageOf));

const sendMessages = (ctx: Context, queue: Jobs, messages: MessageSendRequest<JobMessage>[]) =>
  ctx.later(queue.sendBatch(messages).catch(noteUnsent));

const noteUnsent = (error: unknown) =>
  logError("outbox: the queue did not take the message; the sweep will send it", error);

async function sendByTopic(ctx: Context, queues: Queues, rows: TopicRow[]) {
  const byQueue = Map.groupBy(rows, ({ topic }) => queues[topic] ?? ctx.jobs);
  for (const [queue, ofQueue] of byQueue) {
    for (let from = 0; from < ofQueue.length; from += MAX_BATCH) {
      await queue.sendBatch(ofQueue.slice(from, from + MAX_BATCH).map(({ id }) => messageOf(id)));
    }
  }
}

const messageOf = (id: string) => ({ body: { kind: "outbox", id } satisfies JobMessage });

const delayedMessageOf = (id: string, delayMs: number) => ({
  ...messageOf(id),
  delaySeconds: Math.ceil(delayMs / 1000) + 1,
});

/**
 * Claims the row, delivers it and marks it. A row that is claimed, or done, is left alone. The claim is renewed as long
 * as the delivery runs, so that no other begins beside it, and lapses when the delivery was cut off.
 */
export async function deliverOutbox(ctx: Context, id: string, handlers: Handlers) {
  const claimed = await claim(ctx, id);
  if (!claimed) return;
  const { row, held } = claimed;
  await whileRenewed(ctx, work, held, async () => {
    try {
      const deliver = handlers[row.topic];
      if (!deliver) throw new Error(`No handler for the topic "${row.topic}".`);
      await deliver(ctx, row.payload, row);
    } catch (error) {
      logError(`outbox: ${row.topic} ${row.id} failed, attempt ${row.attempts}`, error);
      return release(ctx, row, held, error);
    }
    await settle(ctx, row, held, { doneAt: ctx.clock() });
  });
}

/** Sends a message for every row that is due and that nobody is delivering. */
export async function sweepOutbox(ctx: Context, queues: Queues) {
  await markCrashed(ctx);
  const created = new Date(ctx.now.getTime() - SWEEP_AFTER_MS);
  const due = await ctx.db
    .select({ id: outbox.id, topic: outbox.topic })
    .from(outbox)
    .where(and(isOpen, isFree(work, ctx.now), lte(outbox.notBefore, ctx.now), lte(outbox.createdAt, created)))
    .orderBy(outbox.notBefore)
    .limit(MAX_BATCH);
  await sendByTopic(ctx, queues, due);
}

/** Undefined once it was deleted. */
export async function readOutboxRow({ db }: Context, id: string): Promise<OutboxRow | undefined> {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  return row;
}

/** The columns of a row that is delivered as if it were new. */
export const asNew = (now: Date) => ({ failedAt: null, attempts: 0, notBefore: now, claimedUntil: null });

/** Has a row that failed, or waits after a failure, delivered at once, with all its attempts. False where it did neither. */
export async function retryNow(ctx: Context, id: string) {
  const hasFailed = or(isNotNull(outbox.failedAt), and(isFree(work, ctx.now), gte(outbox.attempts, 1)));
  const [row] = await ctx.db
    .update(outbox)
    .set(asNew(ctx.now))
    .where(and(eq(outbox.id, id), isNull(outbox.doneAt), hasFailed))
    .returning({ id: outbox.id });
  if (row) enqueue(ctx, row.id);
  return row !== undefined;
}

/** Deletes what was delivered, or given up, long ago. */
export async function pruneOutbox({ db, now }: Context) {
  const past = new Date(now.getTime() - KEEP_MS);
  await db.delete(outbox).where(or(lt(outbox.doneAt, past), lt(outbox.failedAt, past)));
}

/** Deletes the bodies that no row refers to any more; called behind `pruneOutbox`. */
export async function pruneBodies({ db, now }: Context) {
  const isOld = lt(outboxBodies.createdAt, after(now, -KEEP_UNUSED_MS));
  const rows = db.select({ id: outbox.id }).from(outbox).where(eq(outbox.bodyId, outboxBodies.id));
  await db.delete(outboxBodies).where(and(isOld, notExists(rows)));
}

/** A row whose last attempt neither succeeded nor failed: each delivery was cut off. */
async function markCrashed({ db, now }: Context) {
  await db
    .update(outbox)
    .set({ failedAt: now, claimedUntil: null, lastError: "Delivery was interrupted at every attempt." })
    .where(and(isOpen, isFree(work, now), gte(outbox.attempts, work.maxAttempts)));
}

async function claim(ctx: Context, id: string) {
  const { claim: name, rows } = await claimRows(ctx, work, {
    which: (now) =>
      and(
        eq(outbox.id, id),
        isFree(work, now),
        lte(outbox.notBefore, now),
        lt(outbox.attempts, work.maxAttempts),
      ),
    returning: getTableColumns(outbox),
  });
  const [row] = rows;
  return row && { row, held: { claim: name, ids: [row.id] } };
}

/** Back-off of 1, 2, 4 … minutes, then given up. Where a time to wait is named, that time, and no attempt is counted. */
async function release(ctx: Context, row: OutboxRow, held: Held, error: unknown) {
  const now = ctx.clock();
  const lastError = describeError(error).slice(0, 500);
  const wait = namedWait(row, error, now);
  const attempts = wait === null ? row.attempts : row.attempts - 1;
  const notBefore = error instanceof PermanentError ? null : nextTry(work, attempts, now, wait ?? undefined);
  if (notBefore === null) return settle(ctx, row, held, { failedAt: now, lastError });
  const waiting = { attempts, notBefore, lastError, claimedUntil: null };
  await ctx.db.update(outbox).set(waiting).where(isHeld(work, held));
}

/** Ends a row that was delivered or given up. */
async function settle(
  { db }: Context,
  { payload }: OutboxRow,
  held: Held,
  columns: Partial<Pick<OutboxRow, "doneAt" | "failedAt" | "lastError">>,
) {
  if (isForgotten(payload)) await db.delete(outbox).where(isHeld(work, held));
  else
    await db
      .update(outbox)
      .set({ ...columns, claimedUntil: null })
      .where(isHeld(work, held));
}

/** A payload says that nothing of it may be kept once it is delivered or given up. */
const isForgotten = (payload: unknown) =>
  typeof payload === "object" && payload !== null && "isForgotten" in payload && payload.isForgotten === true;

/** Milliseconds that a `BusyError` says to wait; null where it names none, or the row is too old to wait for it. */
function namedWait({ createdAt }: OutboxRow, error: unknown, now: Date) {
  if (!(error instanceof BusyError) || error.retryAfterMs === null) return null;
  const left = createdAt.getTime() + BUSY_MS - now.getTime();
  return left > 0 ? Math.min(error.retryAfterMs, left) : null;
}

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
