import { sql, type SQL } from "drizzle-orm";
import { throwUnless } from "#worker/accounts/audit-log.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { isUnfinished } from "#worker/imports/unfinished.ts";
import type { Context } from "#worker/platform/context.ts";
import { runTogether } from "#worker/platform/data/raw-batch.ts";
import { AppError } from "#worker/platform/errors.ts";
import { eraseSince } from "#worker/restores/erased-since.ts";
import { deleteOldStaged, deleteStaged, listStaged, markHalfRestored } from "#worker/restores/staging.ts";

/**
 * After a restore was cancelled or deleted: its files stay for another restore. Erases what was erased before from the rows
 * that it has written, and deletes its pieces, last, so that the daily clean-up finds one that was interrupted.
 */
export async function endRestore(ctx: Context, { id, state, startedAt }: ImportProgress) {
  if (startedAt !== null && state !== "done") {
    await markHalfRestored(ctx);
    await eraseSince(ctx);
  }
  await deleteStaged(ctx, id);
}

/**
 * Writes a piece, unless the restore has ended since its step began: its rows would come after the erasure.
 * @throws `conflict`
 */
export async function writeUnlessEnded(ctx: Context, id: number, statements: readonly SQL[]) {
  const condition = sql`insert into security_events (at, kind, email, address, user_agent)
    select 0, null, '', '', '' where not ${isUnfinished(id)}`;
  const ended = () => new AppError("conflict", "This restore has ended.");
  await throwUnless(ended, () => runTogether(ctx, [condition, ...statements]));
}

/** Daily: deletes the pieces of restores that were left, and ends those whose end was interrupted. */
export async function pruneStaged(ctx: Context) {
  const staged = await listStaged(ctx);
  const ended = await findEnded(ctx, staged);
  if (ended.length > 0) await eraseSince(ctx);
  for (const id of ended) await deleteStaged(ctx, id);
  await deleteOldStaged(ctx);
}

async function findEnded({ db }: Context, ids: number[]) {
  if (ids.length === 0) return [];
  const rows = await db.all<{ id: number }>(
    sql`select value as id from json_each(${JSON.stringify(ids)}) where not ${isUnfinished(sql`value`)}`,
  );
  return rows.map(({ id }) => id);
}
