import { and, eq, inArray } from "drizzle-orm";
import {
  claimNext,
  finishImport,
  heldBy,
  importWork,
  saveProgress,
  type Claimed,
} from "#worker/imports/claims.ts";
import { LostClaim, type ImportKinds, type Outcome } from "#worker/imports/import-type.ts";
import { enqueueItems } from "#worker/imports/queue.ts";
import { imports } from "#worker/imports/table.ts";
import { settle } from "#worker/imports/settle-item.ts";
import { undoItem } from "#worker/imports/undo.ts";
import type { Context } from "#worker/platform/context.ts";
import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logError } from "#worker/platform/log.ts";
import { whileRenewed } from "#worker/platform/work/leases.ts";

const CUT_OFF = "It was interrupted at every attempt. Try it again.";
const USED_UP = "The site has reached its limit for today. It continues after midnight UTC.";
const OUR_FAULT = "Something went wrong on this site, not at the source. Try it again.";

/**
 * Processes the next item of an import, and enqueues the one after it. Repeated or concurrent messages process
 * different items.
 */
export async function workOn(ctx: Context, importId: number, kinds: ImportKinds) {
  const inOrder = Object.keys(kinds).filter((name) => kinds[name]!.inOrder);
  const item = await claimNext(ctx, importId, inOrder);
  if (!item) return finishImport(ctx, importId);
  try {
    await whileRenewed(ctx, importWork, heldBy(item), async () =>
      settle(ctx, item, await pausingInOrder(ctx, item, inOrder, await outcomeOf(ctx, item, kinds))),
    );
  } catch (error) {
    if (!(error instanceof LostClaim)) throw error;
  }
  enqueueItems(ctx, importId);
}

/** @throws {LostClaim} */
async function outcomeOf(ctx: Context, item: Claimed, kinds: ImportKinds): Promise<Outcome> {
  // Each attempt claimed it once, and none finished.
  if (item.attempts > importWork.maxAttempts) return { is: "failed", message: CUT_OFF };
  try {
    return await run(ctx, item, kinds);
  } catch (error) {
    if (error instanceof LostClaim) throw error;
    if (error instanceof AppError) return { is: "failed", message: error.message };
    logError(`imports: item ${item.id} failed, attempt ${item.attempts}`, error);
    if (isOverDailyLimit(error)) return { is: "wait", message: USED_UP, forMs: untilNextDay(ctx.clock()) };
    return { is: "again", message: OUR_FAULT };
  }
}

/** An item that failed for good pauses an import whose items need those before them. */
async function pausingInOrder(
  { db }: Context,
  { importId, attempts }: Claimed,
  kindsInOrder: string[],
  outcome: Outcome,
): Promise<Outcome> {
  const isLast = outcome.is === "again" && attempts >= importWork.maxAttempts;
  if (outcome.is !== "failed" && !isLast) return outcome;
  const [ordered] = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.id, importId), inArray(imports.kind, kindsInOrder)));
  return ordered ? { is: "pause", message: outcome.message } : outcome;
}

async function run(ctx: Context, item: Claimed, kinds: ImportKinds): Promise<Outcome> {
  const [row] = await ctx.db
    .select({ kind: imports.kind, details: imports.details, undoneAt: imports.undoneAt })
    .from(imports)
    .where(eq(imports.id, item.importId));
  const kind = kinds[row?.kind ?? ""];
  if (!kind) throw new Error(`No kind of import "${row?.kind}".`);
  if (row?.undoneAt) return undoItem(ctx, kind.brings, { ...item, since: row.undoneAt });
  const { id, importId, key, title, payload, saved } = item;
  return kind.importItem(ctx, {
    id,
    importId,
    key,
    title,
    payload,
    saved,
    details: row?.details,
    save: (progress, bytes) => saveProgress(ctx, item, progress, bytes),
  });
}
