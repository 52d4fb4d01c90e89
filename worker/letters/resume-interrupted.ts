import { sql } from "drizzle-orm";
import {
  letterWork,
  listCancelledInterrupted,
  markInterrupted,
  stopLetter,
} from "#worker/letters/deliveries.ts";
import { isSliceOf, sliceRow } from "#worker/letters/queue.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { isLive } from "#worker/platform/work/leases.ts";

type Stuck = { id: number; lastError: string | null };

/**
 * Resumes letters that are being sent without any slice left: the queue message was lost, or the last consumer was
 * interrupted. A letter whose slices failed for good is paused, with the reason. Of cancelled letters, interrupted
 * deliveries become uncertain.
 */
export async function watchLetters(ctx: Context) {
  for (const { id } of await listCancelledInterrupted(ctx)) await markInterrupted(ctx, id);
  for (const { id, lastError } of await findStuck(ctx)) {
    if (lastError !== null) {
      await stopLetter(ctx, id, lastError);
      continue;
    }
    const { statement, enqueue } = sliceRow(ctx, { letterId: id, isFirst: true });
    await statement;
    enqueue();
  }
}

const findStuck = ({ db, now }: Context) =>
  db.all<Stuck>(sql`
    select ${letters.id} as id, (
      select ${outbox.lastError} from ${outbox}
      where ${isSliceOf(letters.id)} and ${outbox.failedAt} > ${letters.updatedAt}
      order by ${outbox.createdAt} desc limit 1
    ) as lastError
    from ${letters}
    where ${letters.status} = 'sending'
      and not exists (
        select 1 from ${outbox}
        where ${outbox.doneAt} is null and ${outbox.failedAt} is null and ${isSliceOf(letters.id)})
      and (${noneIsClaimed(now)})`);

/** SQL: no consumer holds a delivery of the letter. */
const noneIsClaimed = (now: Date) => sql`not exists (
  select 1 from ${deliveries}
  where ${deliveries.letterId} = ${letters.id} and ${isLive(letterWork, now)})`;
