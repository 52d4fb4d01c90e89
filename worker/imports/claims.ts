import { and, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { LostClaim, type Outcome } from "#worker/imports/import-type.ts";
import { AT_ONCE } from "#worker/imports/queue.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import {
  claimRows,
  countSettled,
  finishIfDone,
  hasLapsed,
  isDue,
  isHeld,
  isLive,
  isRunning,
  nextTry,
  renewed,
  stopStatement,
  type Held,
  type PartialWork,
} from "#worker/platform/work/leases.ts";

/** Characters of a message that are stored: everything that was left out of an item. */
const MESSAGE_LENGTH = 6000;

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

/**
 * Claims the next due item, interrupted ones first; null if there is none, if the import is not running, or if enough
 * of its items are in progress.
 */
export async function claimNext(ctx: Context, importId: number): Promise<Claimed | null> {
  const first = (which: SQL) => sql`(select ${importItems.id} from ${importItems}
    where ${importItems.importId} = ${importId} and ${which} order by ${importItems.id} limit 1)`;
  const { claim, rows } = await claimRows(ctx, importWork, {
    which: (now) =>
      and(
        sql`${importItems.id} = coalesce(${first(hasLapsed(importWork, now))}, ${first(isDue(importWork, now))})`,
        isRunning(importWork, importId),
        sql`${liveItems(importId, now)} < ${AT_ONCE}`,
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

/** Stores the outcome of an item, and counts it. A consumer that lost the claim writes nothing. */
export async function settle(ctx: Context, claimed: Claimed, outcome: Outcome) {
  const now = ctx.clock();
  const { id, importId } = claimed;
  const columns = columnsOf(claimed, outcome, now);
  const store = ctx.db
    .update(importItems)
    .set(columns)
    .where(isHeld(importWork, heldBy(claimed)));
  if (outcome.is === "stop") {
    const pausedReason = shortened(outcome.message);
    const condition = sql`changes() > 0`;
    const paused = { state: "paused", pausedReason, updatedAt: now, condition };
    return void (await ctx.db.batch([store, stopStatement(ctx, importWork, importId, paused)]));
  }
  const { state } = columns;
  if (state === "waiting") return void (await store);
  const moved = sql`(select ${importItems.moved} from ${importItems} where ${importItems.id} = ${id})`;
  const counts = {
    [state]: sql`${imports[state]} + 1`,
    ...(state === "done" && { bytesMoved: sql`${imports.bytesMoved} + ${moved}` }),
    updatedAt: now,
  };
  await ctx.db.batch([store, countSettled(ctx, importWork, importId, counts)]);
}

/** An item that did not work is tried again after 1, 2, 4 … minutes, unless the outcome says for how long, and fails at last. */
function columnsOf({ attempts }: Claimed, outcome: Outcome, now: Date) {
  const waiting = { state: "waiting", claim: null } as const;
  if (outcome.is === "more" || outcome.is === "stop") return { ...waiting, attempts: 0, notBefore: now };
  const { message } = outcome;
  const words = { message: message === undefined ? null : shortened(message) };
  const again = outcome.is === "again" ? nextTry(importWork, attempts, now, outcome.afterMs) : null;
  if (again) return { ...waiting, ...words, notBefore: again };
  return {
    ...words,
    state: outcome.is === "again" ? "failed" : outcome.is,
    // The id of an item to be deleted is known until it is deleted.
    ...("result" in outcome && outcome.result !== undefined && { result: String(outcome.result) }),
    ...(outcome.is === "undone" && { result: null }),
    settledAt: now,
    claim: null,
    saved: null,
  } as const;
}

const shortened = (message: string) =>
  message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH - 1).toWellFormed()}…`;

/** Closes an import of which nothing is left to be done. */
export const finishImport = (ctx: Context, importId: number) =>
  finishIfDone(ctx, importWork, importId, { state: "done", finishedAt: ctx.clock(), updatedAt: ctx.clock() });
