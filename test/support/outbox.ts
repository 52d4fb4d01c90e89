import { and, isNull, lte } from "drizzle-orm";
import { handlers } from "#worker/jobs.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { jobContext } from "./client.ts";

/** Milliseconds. Ends only what hangs. */
const LONGEST = 300_000;

/** Delivers due rows, and rows that follow from them, like the queue; waits for rows that the queue has claimed. */
export async function deliverAll(ctx = jobContext()) {
  const end = performance.now() + LONGEST;
  for (let tried = new Set<string>(); ;) {
    const due = and(isNull(outbox.doneAt), isNull(outbox.failedAt), lte(outbox.notBefore, ctx.now));
    const waiting = await ctx.db.select().from(outbox).where(due);
    if (waiting.length === 0) return;
    if (performance.now() > end) throw new Error(`Still waiting: ${JSON.stringify(waiting)}`);
    if (waiting.every(({ id }) => tried.has(id))) await scheduler.wait(20);
    for (const { id } of waiting) await deliverOutbox(ctx, id, handlers);
    tried = new Set(waiting.map(({ id }) => id));
  }
}
