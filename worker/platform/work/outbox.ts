import {
  and,
  eq,
  getTableColumns,
  gte,
  inArray,
  is,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  or,
  sql,
  SQL,
} from "drizzle-orm";
import type { Context, JobMessage, Jobs } from "#worker/platform/context.ts";
import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { describeError, logError } from "#worker/platform/log.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";
import {
  claimRows,
  isFree,
  isHeld,
  nextTry,
  storeOutcome,
  whileRenewed,
  type Held,
  type Work,
} from "#worker/platform/work/leases.ts";

/** Milliseconds from a row's creation during which the waits of a `BusyError` do not count as attempts. */
const BUSY_MS = 2 * 86_400_000;
/** Milliseconds for which the sweep leaves a new row to its queue message. */
const SWEEP_AFTER_MS = 30_000;
/** Emails contain links and addresses, so rows are deleted after this many milliseconds. */
const KEEP_MS = 30 * 86_400_000;
/** Milliseconds within which a new body must get its first row. */
const KEEP_UNUSED_MS = 86_400_000;
/** Messages of one sendBatch. */
const MAX_BATCH = 100;

/** Queues of their own for some topics; the rows of other topics go to JOBS. */
export type Queues = Record<string, Jobs>;
type TopicRow = Pick<OutboxRow, "id" | "topic">;

export type OutboxRow = typeof outbox.$inferSelect;

/** Of rows that are neither delivered nor given up. */
export const isOpen = and(isNull(outbox.doneAt), isNull(outbox.failedAt))!;
const work: Work = {
  name: "outbox",
  table: outbox,
  isWaiting: and(isOpen, isNull(outbox.claimedUntil))!,
  isClaimed: and(isOpen, isNotNull(outbox.claimedUntil))!,
  lapsesAt: "claimedUntil",
  maxAttempts: 8,
};

/** Whether a failure of this attempt is the row's end. */
export const isLastAttempt = ({ attempts }: Pick<OutboxRow, "attempts">) => attempts >= work.maxAttempts;

/** An error that a further attempt cannot fix. */
export class PermanentError extends Error {}

/** A failure of this row after which it waits this long, in place of 1, 2, 4 … minutes. The attempt counts. */
export class RetryError extends Error {
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** The receiver temporarily refuses all deliveries, whatever their content. */
export class BusyError extends Error {
  /** Milliseconds until the next attempt, if the receiver names a time. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Delivers one payload. If it throws, it is retried, unless it throws a `PermanentError`. After a `BusyError` with a
 * time it is retried then, for two days without counting as an attempt.
 */
export type Deliver = (ctx: Context, payload: unknown, row: OutboxRow) => Promise<void>;
export type Handlers = Record<string, Deliver>;

/**
 * A row for the batch of the write that causes it; call `enqueue` once the batch is committed. Pass an `id` to write a
 * row only once.
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

/**
 * The same, written only if the condition is true and there is no row with this id; the payload may be SQL that returns
 * JSON. A queue message for a row that was not written does nothing.
 */
export function outboxRowIf(
  ctx: Context,
  topic: string,
  payload: unknown,
  isDue: SQL,
  { id = crypto.randomUUID() as string, notBefore = ctx.now } = {},
) {
  const statement = ctx.db
    .insert(outbox)
    .select(
      sql`select ${id}, ${topic}, ${is(payload, SQL) ? payload : JSON.stringify(payload)}, ${ctx.now.getTime()}, 0,
        ${notBefore.getTime()}, null, null, null, null, null, null where ${isDue}`,
    )
    .onConflictDoNothing();
  return { id, statement };
}

/** Content shared by many rows, and the statement that writes it. Its rows must follow within a day. */
export function outboxBody(ctx: Context, content: unknown) {
  const id = crypto.randomUUID();
  return { id, statement: ctx.db.insert(outboxBodies).values({ id, content, createdAt: ctx.now }) };
}

/** `spacing`: milliseconds between the due times of two rows. */
type Rows = { bodyId: string; spacing?: number };

/** Many rows in one statement, all with the same body. */
export function outboxRows(ctx: Context, topic: string, payloads: unknown[], { bodyId, spacing = 0 }: Rows) {
  const now = ctx.now.getTime();
  const rows = payloads.map((payload, index) => ({
    id: crypto.randomUUID(),
    payload,
    notBefore: now + index * spacing,
  }));
  // As JSON in one parameter: D1 accepts 100 parameters a statement.
  const statement = ctx.db.insert(outbox).select(
    sql`select value ->> 'id', ${topic}, value -> 'payload', ${now}, 0, value ->> 'notBefore', null, null, null, null, ${bodyId}, null
      from json_each(${JSON.stringify(rows)})`,
  );
  return { ids: rows.map(({ id }) => id), statement };
}

/** The content of a row's body; null for a row without one. */
export async function readBody({ db }: Context, { bodyId }: Pick<OutboxRow, "bodyId">) {
  if (bodyId === null) return null;
  const [body] = await db.select().from(outboxBodies).where(eq(outboxBodies.id, bodyId));
  return body!.content;
}

/**
 * The statements that write one row for several changes of the same payload in quick succession, and its id unless such
 * a row is waiting already. Each change postpones the delivery to `delayMs` after it. Nothing is written unless
 * `isDue`.
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

/** Milliseconds after which a row absorbs no further change, so that a long series does not postpone it for ever. */
const JOIN_MS = 120_000;

/** Sends the queue message, for a prompt delivery. A failure does not fail the write: the sweep finds the row. */
export function enqueue(ctx: Context, ...ids: string[]) {
  for (let from = 0; from < ids.length; from += MAX_BATCH) {
    sendMessages(ctx, ctx.jobs, ids.slice(from, from + MAX_BATCH).map(messageOf));
  }
}

/** The same for a row with a delay; a message for a row that was not written does nothing. */
export function enqueueLater(ctx: Context, id: string, delayMs: number, queue = ctx.jobs) {
  sendMessages(ctx, queue, [delayedMessageOf(id, delayMs)]);
}

/** The same for at most 100 rows that are due one after another, `spacing` milliseconds apart. */
export const enqueueSpaced = (ctx: Context, ids: string[], spacing: number) =>
  sendMessages(
    ctx,
    ctx.jobs,
    ids.map((id, index) => delayedMessageOf(id, index * spacing)),
  );

/** The same for rows of any topic. */
export const enqueueByTopic = (ctx: Context, queues: Queues, rows: TopicRow[]) =>
  ctx.later(sendByTopic(ctx, queues, rows).catch(noteUnsent));

/** The same for rows of a topic with its own queue. */
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
 * Claims a row, delivers it and marks it. A row that is claimed or done is skipped. The claim is renewed during the
 * delivery, so that no second delivery begins, and lapses if the delivery is interrupted.
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
      return storeOutcome(work.name, () => release(ctx, row, held, error));
    }
    await storeOutcome(work.name, () => settle(ctx, row, held, { doneAt: ctx.clock() }));
  });
}

/**
 * Rows of one sweep, as many as the consumers deliver in a minute: the next sweep would send the messages of others twice.
 * On the free plan each message costs queue operations, of which there are 10,000 a day.
 */
const SWEPT = { free: 100, paid: 1000 };

/**
 * Sends a queue message for each due row that no consumer is delivering, the longest due first. `swept`: topics whose
 * rows get no message when they are written, and are not left to it.
 */
export async function sweepOutbox(ctx: Context, queues: Queues, swept: string[] = []) {
  await markCrashed(ctx);
  const isLeft = or(
    lte(outbox.createdAt, new Date(ctx.now.getTime() - SWEEP_AFTER_MS)),
    inArray(outbox.topic, swept),
  );
  const due = await ctx.db
    .select({ id: outbox.id, topic: outbox.topic })
    .from(outbox)
    .where(and(isOpen, isFree(work, ctx.now), lte(outbox.notBefore, ctx.now), isLeft))
    .orderBy(outbox.notBefore)
    .limit(SWEPT[ctx.config.plan]);
  await sendByTopic(ctx, queues, due);
}

/** Undefined if it was deleted. */
export async function readOutboxRow({ db }: Context, id: string): Promise<OutboxRow | undefined> {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  return row;
}

/** The columns of a row that is delivered as if it were new. */
export const asNew = (now: Date) => ({ failedAt: null, attempts: 0, notBefore: now, claimedUntil: null });

/**
 * Retries a row that failed, or waits after a failure, immediately and with all its attempts. Returns false for other
 * rows.
 */
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

/** Deletes rows that were delivered or failed long ago. */
export async function pruneOutbox({ db, now }: Context) {
  const past = new Date(now.getTime() - KEEP_MS);
  await db.delete(outbox).where(or(lt(outbox.doneAt, past), lt(outbox.failedAt, past)));
}

/** Deletes the bodies that no row refers to; called after `pruneOutbox`. */
export async function pruneBodies({ db, now }: Context) {
  const isOld = lt(outboxBodies.createdAt, after(now, -KEEP_UNUSED_MS));
  const rows = db.select({ id: outbox.id }).from(outbox).where(eq(outbox.bodyId, outboxBodies.id));
  await db.delete(outboxBodies).where(and(isOld, notExists(rows)));
}

/** Fails rows whose last attempt was interrupted. */
async function markCrashed({ db, now }: Context) {
  const crashed = await db
    .update(outbox)
    .set({ failedAt: now, claimedUntil: null, lastError: "Delivery was interrupted at every attempt." })
    .where(and(isOpen, isFree(work, now), gte(outbox.attempts, work.maxAttempts)))
    .returning({ id: outbox.id, payload: outbox.payload });
  const forgotten = crashed.filter(({ payload }) => isForgotten(payload)).map(({ id }) => id);
  if (forgotten.length === 0) return;
  await db
    .delete(outbox)
    .where(sql`${outbox.id} in (select value from json_each(${JSON.stringify(forgotten)}))`);
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

/**
 * Waits 1, 2, 4 … minutes, or as a `RetryError` says, then fails the row. If the receiver is busy and names a time, waits
 * for it without counting an attempt. The
 * same holds if D1's rows of the day are used up: it waits for the next day.
 */
async function release(ctx: Context, row: OutboxRow, held: Held, error: unknown) {
  const now = ctx.clock();
  const lastError = describeError(error).slice(0, 500);
  const wait = isOverDailyLimit(error) ? untilNextDay(now) : namedWait(row, error, now);
  const attempts = wait === null ? row.attempts : row.attempts - 1;
  const waitMs = wait ?? (error instanceof RetryError ? error.waitMs : undefined);
  const notBefore = error instanceof PermanentError ? null : nextTry(work, attempts, now, waitMs);
  if (notBefore === null) return settle(ctx, row, held, { failedAt: now, lastError });
  const waiting = { attempts, notBefore, lastError, claimedUntil: null };
  await ctx.db.update(outbox).set(waiting).where(isHeld(work, held));
}

/** Ends a row that was delivered or has failed. */
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

/** Whether the payload must not be stored once it is delivered or has failed. */
const isForgotten = (payload: unknown) =>
  typeof payload === "object" && payload !== null && "isForgotten" in payload && payload.isForgotten === true;

/** Milliseconds that a `BusyError` says to wait; null if it names none, or the row is too old to wait for it. */
function namedWait({ createdAt }: OutboxRow, error: unknown, now: Date) {
  if (!(error instanceof BusyError) || error.retryAfterMs === null) return null;
  const left = createdAt.getTime() + BUSY_MS - now.getTime();
  return left > 0 ? Math.min(error.retryAfterMs, left) : null;
}

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
