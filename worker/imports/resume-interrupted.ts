import { sql } from "drizzle-orm";
import { finishImport, importWork, liveItems } from "#worker/imports/claims.ts";
import { AT_ONCE, enqueueItems } from "#worker/imports/queue.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { hasLapsed, isDue } from "#worker/platform/work/leases.ts";

/**
 * Resumes running imports: their messages may have been lost, the Worker may have been killed, or an item waits for
 * another attempt. An extra message does nothing.
 */
export async function watchImports(ctx: Context) {
  const { db, now } = ctx;
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
