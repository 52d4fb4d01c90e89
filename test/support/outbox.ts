import { and, isNull, lte } from "drizzle-orm";
import { handlers } from "#worker/jobs.ts";
import { deliverOutbox } from "#worker/platform/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { jobContext } from "./client.ts";

/** Delivers what is due, and what comes of that, as the queue does; waits a second at most for what that one holds. */
export async function deliverAll(ctx = jobContext()) {
  for (let tries = 0; tries < 50; tries++) {
    const due = and(isNull(outbox.doneAt), isNull(outbox.failedAt), lte(outbox.notBefore, ctx.now));
    const waiting = await ctx.db.select().from(outbox).where(due);
    if (waiting.length === 0) return;
    for (const { id } of waiting) await deliverOutbox(ctx, id, handlers);
    await scheduler.wait(20);
  }
}
