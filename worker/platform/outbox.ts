import { and, eq, gte, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Context, JobMessage } from "#worker/platform/context.ts";
import { describeError, logError } from "#worker/platform/log.ts";
import { outbox } from "#worker/platform/table.ts";

const MAX_ATTEMPTS = 8;
const CLAIM_MS = 2 * 60_000;
/** The sweep leaves newer rows to the queue message that was sent with them. */
const SWEEP_AFTER_MS = 30_000;
const SWEEP_ROWS = 100;
/** Mails hold links and addresses: they do not lie around for ever. */
const KEEP_MS = 30 * 86_400_000;

export type OutboxRow = typeof outbox.$inferSelect;
/** Delivers one payload; throwing means that it is tried again. */
export type Deliver = (ctx: Context, payload: unknown, row: OutboxRow) => Promise<void>;
export type Handlers = Record<string, Deliver>;

/** A row to put into the same batch as the write that it follows from; `wake` it once the batch stands. */
export function outboxRow(ctx: Context, topic: string, payload: unknown) {
  const id = crypto.randomUUID();
  const statement = ctx.db
    .insert(outbox)
    .values({ id, topic, payload, createdAt: ctx.now, notBefore: ctx.now });
  return { id, statement };
}

/** Makes delivery prompt. A failure here is not one of the write: the sweep finds the row. */
export function wake(ctx: Context, ...ids: string[]) {
  if (ids.length === 0) return;
  const messages = ids.map((id) => ({ body: { kind: "outbox", id } satisfies JobMessage }));
  ctx.later(
    ctx.jobs.sendBatch(messages).catch((error: unknown) => {
      logError("outbox: the queue did not take the message; the sweep will send it", error);
    }),
  );
}

/** Claims the row, delivers it and marks it. A row that somebody else holds, or that is done, is left alone. */
export async function deliverOutbox(ctx: Context, id: string, handlers: Handlers) {
  const row = await claim(ctx, id);
  if (!row) return;
  try {
    const deliver = handlers[row.topic];
    if (!deliver) throw new Error(`No handler for the topic "${row.topic}".`);
    await deliver(ctx, row.payload, row);
  } catch (error) {
    logError(`outbox: ${row.topic} ${row.id} failed, attempt ${row.attempts}`, error);
    await release(ctx, row, error);
    return;
  }
  await ctx.db.update(outbox).set({ doneAt: ctx.now, claimedUntil: null }).where(eq(outbox.id, id));
}

/** Sends a message for every row that is due and that nobody is delivering. */
export async function sweepOutbox(ctx: Context) {
  await buryCrashed(ctx);
  const created = new Date(ctx.now.getTime() - SWEEP_AFTER_MS);
  const due = await ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(open(ctx), lte(outbox.notBefore, ctx.now), lte(outbox.createdAt, created)))
    .orderBy(outbox.notBefore)
    .limit(SWEEP_ROWS);
  if (due.length === 0) return;
  await ctx.jobs.sendBatch(due.map(({ id }) => ({ body: { kind: "outbox", id } })));
}

/** Forgets what was delivered, or given up, long ago. */
export async function pruneOutbox({ db, now }: Context) {
  const past = new Date(now.getTime() - KEEP_MS);
  await db.delete(outbox).where(or(lt(outbox.doneAt, past), lt(outbox.failedAt, past)));
}

/** A row whose last attempt neither ended well nor badly: whoever held it died each time. */
async function buryCrashed(ctx: Context) {
  await ctx.db
    .update(outbox)
    .set({ failedAt: ctx.now, claimedUntil: null, lastError: "Delivery was cut off at every attempt." })
    .where(and(open(ctx), gte(outbox.attempts, MAX_ATTEMPTS)));
}

const open = ({ now }: Context) =>
  and(
    isNull(outbox.doneAt),
    isNull(outbox.failedAt),
    or(isNull(outbox.claimedUntil), lt(outbox.claimedUntil, now)),
  );

async function claim(ctx: Context, id: string) {
  const [row] = await ctx.db
    .update(outbox)
    .set({ claimedUntil: new Date(ctx.now.getTime() + CLAIM_MS), attempts: sql`${outbox.attempts} + 1` })
    .where(
      and(eq(outbox.id, id), open(ctx), lte(outbox.notBefore, ctx.now), lt(outbox.attempts, MAX_ATTEMPTS)),
    )
    .returning();
  return row;
}

/** Back-off of 1, 2, 4 … minutes, then given up. */
async function release(ctx: Context, row: OutboxRow, error: unknown) {
  const backOff = 60_000 * 2 ** (row.attempts - 1);
  await ctx.db
    .update(outbox)
    .set({
      claimedUntil: null,
      notBefore: new Date(ctx.now.getTime() + backOff),
      failedAt: row.attempts >= MAX_ATTEMPTS ? ctx.now : null,
      lastError: describeError(error).slice(0, 500),
    })
    .where(eq(outbox.id, row.id));
}
