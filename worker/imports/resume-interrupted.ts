import { and, eq, lt, sql } from "drizzle-orm";
import { finishImport, importWork, liveItems } from "#worker/imports/claims.ts";
import { AT_ONCE, enqueueItems } from "#worker/imports/queue.ts";
import { PLANNING } from "#worker/imports/contract.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { hasLapsed, isDue } from "#worker/platform/work/leases.ts";

/**
 * Resumes running imports: their messages may have been lost, the Worker may have been killed, or an item waits for
 * another attempt. An extra message does nothing.
 */
export async function watchImports(ctx: Context) {
  const { db, now } = ctx;
  await deleteInterruptedPlans(ctx);
  const running = await db.all<{ id: number; live: number; hasWork: number }>(sql`
    select ${imports.id} as id, ${liveItems(sql`${imports.id}`, now)} as live, exists (
      select 1 from ${importItems} where ${importItems.importId} = ${imports.id}
        and (${isDue(importWork, now)} or ${hasLapsed(importWork, now)})) as hasWork
    from ${imports} where ${imports.state} = 'running'`);
  for (const { id, live, hasWork } of running) {
    if (hasWork) enqueueItems(ctx, id, AT_ONCE - live);
    else if (live === 0) await finishImport(ctx, id);
  }
}

/** Milliseconds after its last page in which a plan has ended or was interrupted: one page is read in a minute. */
const PLANNING_MS = 15 * 60_000;

/** The half plan of a request that was interrupted. The user has seen it fail, and sends the address again. */
async function deleteInterruptedPlans({ db, now }: Context) {
  const silentSince = new Date(now.getTime() - PLANNING_MS);
  await db.delete(imports).where(and(eq(imports.state, PLANNING), lt(imports.updatedAt, silentSince)));
}
