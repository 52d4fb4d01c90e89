import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { LostClaim } from "#worker/imports/import-type.ts";
import { AT_ONCE } from "#worker/imports/queue.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import {
  claimRows,
  finishIfDone,
  hasLapsed,
  isDue,
  isHeld,
  isLive,
  isRunning,
  renewed,
  type Held,
  type PartialWork,
} from "#worker/platform/work/leases.ts";

export const importWork: PartialWork = {
  name: "imports",
  table: importItems,
  isWaiting: sql`${importItems.state} = 'waiting'`,
  isClaimed: sql`${importItems.state} = 'working'`,
  lapsesAt: "notBefore",
  // Without progress, for a quarter of an hour.
  maxAttempts: 5,
  parent: imports,
  parentId: importItems.importId,
  runs: sql`${imports.state} = 'running'`,
};

export type Claimed = typeof importItems.$inferSelect & { claim: string };
export const heldBy = ({ id, claim }: Claimed): Held => ({ claim, ids: [id] });

/** SQL: how many items of an import are worked on. */
export const liveItems = (importId: number | SQL, now: Date) => sql<number>`(
  select count(*) from ${importItems} where ${importItems.importId} = ${importId} and ${isLive(importWork, now)})`;

/** SQL: whether every item before this one of its import is done. */
const isNextInOrder = sql`not exists (
  select 1 from ${importItems} as earlier where earlier.import_id = ${importItems.importId}
    and earlier.id < ${importItems.id} and earlier.state not in ('done', 'skipped'))`;

/**
 * Claims the next due item, interrupted ones first; null if there is none, if the import is not running, or if enough
 * of its items are in progress.
 */
export async function claimNext(
  ctx: Context,
  importId: number,
  kindsInOrder: readonly string[] = [],
): Promise<Claimed | null> {
  const isInOrder = sql`exists (select 1 from ${imports} where ${imports.id} = ${importId}
    and ${imports.kind} in (select value from json_each(${JSON.stringify(kindsInOrder)}) as given))`;
  const first = (which: SQL) => sql`(select ${importItems.id} from ${importItems}
    where ${importItems.importId} = ${importId} and ${which} order by ${importItems.id} limit 1)`;
  const { claim, rows } = await claimRows(ctx, importWork, {
    which: (now) =>
      and(
        sql`${importItems.id} = coalesce(${first(hasLapsed(importWork, now))}, ${first(isDue(importWork, now))})`,
        isRunning(importWork, importId),
        sql`${liveItems(importId, now)} < ${AT_ONCE}`,
        kindsInOrder.length > 0 ? sql`(not ${isInOrder} or ${isNextInOrder})` : undefined,
      ),
    set: () => ({ state: "working" }),
    returning: getTableColumns(importItems),
  });
  const [row] = rows;
  return row ? { ...row, claim } : null;
}

type Bytes = { size?: number; moved?: number };

/**
 * Saves the progress of an item; false if the import is no longer running. Saving the same again is not progress: its
 * attempts continue to count.
 */
export async function saveProgress(
  { db, clock }: Context,
  claimed: Claimed,
  saved: unknown,
  { size, moved }: Bytes = {},
) {
  const isSame = and(
    sql`${importItems.saved} is ${JSON.stringify(saved)}`,
    moved === undefined ? undefined : eq(importItems.moved, moved),
  );
  const store = db
    .update(importItems)
    .set({
      saved,
      attempts: sql`iif(${isSame}, ${importItems.attempts}, 0)`,
      ...renewed(importWork, clock()),
      ...(size !== undefined && { size }),
      ...(moved !== undefined && { moved }),
    })
    .where(isHeld(importWork, heldBy(claimed)))
    .returning({ id: importItems.id });
  const state = db.select({ state: imports.state }).from(imports).where(eq(imports.id, claimed.importId));
  const [held, [row]] = await db.batch([store, state]);
  if (held.length === 0) throw new LostClaim();
  return row?.state === "running";
}

/** Closes an import of which nothing is left to be done. */
export const finishImport = (ctx: Context, importId: number) =>
  finishIfDone(ctx, importWork, importId, { state: "done", finishedAt: ctx.clock(), updatedAt: ctx.clock() });
