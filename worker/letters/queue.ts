import { sql } from "drizzle-orm";
import type { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { enqueueLater, enqueueTo, outboxRow, outboxRowIf } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";

/** The outbox topic whose rows send slices of letters. */
export const SLICE_TOPIC = "letter-slice";

/** The queue of those rows, for senders of rows of any topic. */
export const queuesByTopic = ({ letters }: Context) => ({ [SLICE_TOPIC]: letters });

/** Milliseconds. A queue delays a message for 12 hours at most. */
const MAX_DELAY_MS = 11 * 3_600_000;
/** Milliseconds by which a slice may be late, so that slices due at about the same time become one. */
const JOIN_MS = 60_000;

/** `isFirst`: it runs alone, and starts the parallel ones. */
export type Slice = { letterId: number; isFirst?: boolean };

/**
 * The row of the next slice, and the `enqueue` to call once it is written. The handler of another row passes an id that
 * is made of that row's: handled again, it writes no second one.
 */
export function sliceRow(ctx: Context, slice: Slice, id?: string) {
  const row = outboxRow(ctx, SLICE_TOPIC, slice, { id });
  return {
    statement: row.statement.onConflictDoNothing(),
    enqueue: () => enqueueTo(ctx, ctx.letters, [row.id]),
  };
}

/**
 * The same for a slice at a later time, unless an earlier one is already waiting: each of the parallel slices requests
 * one. The requesting slice itself does not count as waiting.
 */
export function sliceRowAt(ctx: Context, slice: Slice, at: Date) {
  const isNone = sql`not exists (
    select 1 from ${outbox}
    where ${outbox.doneAt} is null and ${outbox.failedAt} is null and ${outbox.claimedUntil} is null
      and ${outbox.notBefore} <= ${at.getTime() + JOIN_MS} and ${isSliceOf(slice.letterId)})`;
  const { id, statement } = outboxRowIf(ctx, SLICE_TOPIC, slice, isNone, { notBefore: at });
  const delayMs = at.getTime() - ctx.clock().getTime();
  return {
    statement,
    // The sweep sends the message of a row that waits longer than a queue can delay.
    enqueue: () => delayMs < MAX_DELAY_MS && enqueueLater(ctx, id, delayMs, ctx.letters),
  };
}

/** SQL: the outbox row is one of a slice of the letter. */
export const isSliceOf = (letterId: number | typeof letters.id) =>
  sql`${outbox.topic} = ${SLICE_TOPIC} and ${outbox.payload} ->> 'letterId' = ${letterId}`;
