import type { Context } from "#worker/platform/context.ts";
import { enqueueLater, enqueueTo, outboxRow } from "#worker/platform/outbox.ts";

/** The outbox topic whose rows send slices of letters. */
export const SLICE_TOPIC = "letter-slice";

/** The queue of those rows, for whoever sends messages of rows of any topic. */
export const queuesByTopic = ({ letters }: Context) => ({ [SLICE_TOPIC]: letters });

/** Milliseconds. A queue delays a message for 12 hours at most. */
const MAX_DELAY_MS = 11 * 3_600_000;

/** `isFirst`: it is alone, and begins others beside it. */
export type Slice = { letterId: number; isFirst?: boolean };

/** The row of the next slice, and what makes it prompt once the row is written. */
export function sliceRow(ctx: Context, slice: Slice) {
  const { id, statement } = outboxRow(ctx, SLICE_TOPIC, slice);
  return { statement, enqueue: () => enqueueTo(ctx, ctx.letters, [id]) };
}

/** The same for a slice that is to come at a time. Several that wait for the same minute are one. */
export function sliceRowAt(ctx: Context, slice: Slice, at: Date) {
  const minute = Math.ceil(at.getTime() / 60_000);
  const id = `letter-${slice.letterId}-${minute}`;
  const { statement } = outboxRow(ctx, SLICE_TOPIC, slice, { id, notBefore: at });
  const delayMs = at.getTime() - ctx.clock().getTime();
  return {
    statement: statement.onConflictDoNothing(),
    // The sweep sends the message of a row that waits for longer than a queue does.
    enqueue: () => delayMs < MAX_DELAY_MS && enqueueLater(ctx, id, delayMs, ctx.letters),
  };
}
