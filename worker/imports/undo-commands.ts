import { and, eq, sql } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { importWork } from "#worker/imports/claims.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { readImport, requireKind } from "#worker/imports/import-queries.ts";
import { AT_ONCE, enqueueItems } from "#worker/imports/queue.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import { findUnrecorded, isBrought, readUndo } from "#worker/imports/undo.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { isLive } from "#worker/platform/work/leases.ts";

const hasEnded = sql`${imports.state} in ('done', 'cancelled')`;

/**
 * Deletes what a finished import created, item by item on the queue, which can be paused. Items that were changed or
 * commented on remain.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`; `conflict` if it has not ended, or left nothing to delete
 */
export async function undoImport(ctx: Context, id: number): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  requireRecentProof(ctx);
  const { source, kind } = await readImport(ctx, id);
  const { count } = await readUndo(ctx, id);
  const unrecorded = await findUnrecorded(ctx, id, requireKind(ctx, kind).findCreated);
  const ofImport = eq(importItems.importId, id);
  const mayBegin = sql`${count} > 0
    and exists (select 1 from ${imports} where ${imports.id} = ${id} and ${hasEnded})
    and not exists (select 1 from ${importItems} where ${ofImport} and ${isLive(importWork, ctx.now)})`;
  const of = (state: string) => sql`(select count(*) from ${importItems}
    where ${importItems.importId} = ${id} and ${importItems.state} = ${state})`;
  const email = ctx.actor.kind === "user" ? ctx.actor.email : "";
  const write = (db: Context["db"]) =>
    db.batch([
      eventRow(ctx, { kind: "import_undone", email, detail: source.slice(0, 200) }, mayBegin),
      ...unrecorded.map(({ itemId, id: result }) =>
        ctx.db
          .update(importItems)
          .set({ result: String(result) })
          .where(eq(importItems.id, itemId)),
      ),
      ctx.db
        .update(importItems)
        .set({
          state: sql`iif(${isBrought}, 'waiting', 'skipped')`,
          attempts: 0,
          claim: null,
          notBefore: ctx.now,
          saved: null,
          moved: 0,
        })
        .where(and(ofImport, sql`${importItems.state} not in ('skipped', 'undone')`, isNotKept)),
      ctx.db
        .update(imports)
        .set({
          state: "running",
          undoneAt: ctx.now,
          finishedAt: null,
          done: of("done"),
          skipped: of("skipped"),
          failed: of("failed"),
          updatedAt: ctx.now,
        })
        .where(eq(imports.id, id)),
    ]);
  const [, undoing] = await throwUnless(notNow, () => writeAndRead(ctx, write, (one) => readImport(one, id)));
  enqueueItems(ctx, id, AT_ONCE);
  return undoing;
}

/** SQL: an item that created nothing, such as an old address, remains done. */
const isNotKept = sql`not (${importItems.state} = 'done' and ${importItems.result} is null)`;

const notNow = () =>
  new AppError(
    "conflict",
    "Nothing can be undone now: the import hasn’t ended, or nothing is left to delete.",
  );
