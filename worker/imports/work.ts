import { eq } from "drizzle-orm";
import {
  claimNext,
  finishIfDone,
  MAX_ATTEMPTS,
  renewClaim,
  saveProgress,
  settle,
  type Claimed,
} from "#worker/imports/claims.ts";
import { LostClaim, type ImportKinds, type Outcome } from "#worker/imports/kind.ts";
import { enqueueItems } from "#worker/imports/queue.ts";
import { imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logError } from "#worker/platform/log.ts";

/** Milliseconds between two renewals of a claim: three may fail in a row. */
const RENEW_MS = 30_000;

const CUT_OFF = "It was interrupted at every attempt. Try it again.";
const OUR_FAULT = "Something went wrong on this site, not at the source. Try it again.";

/**
 * Works on the next item of an import, and enqueues the one after it. Messages that come twice, or beside each other,
 * work on different items.
 */
export async function workOn(ctx: Context, importId: number, kinds: ImportKinds) {
  const item = await claimNext(ctx, importId);
  if (!item) return finishIfDone(ctx, importId);
  const renewal = setInterval(() => void renewClaim(ctx, item).catch(noteRenewal), RENEW_MS);
  try {
    await settle(ctx, item, await outcomeOf(ctx, item, kinds));
  } catch (error) {
    if (!(error instanceof LostClaim)) throw error;
  } finally {
    clearInterval(renewal);
  }
  enqueueItems(ctx, importId);
}

const noteRenewal = (error: unknown) => logError("imports: a claim was not renewed", error);

/** @throws {LostClaim} */
async function outcomeOf(ctx: Context, item: Claimed, kinds: ImportKinds): Promise<Outcome> {
  // Each attempt claimed it once, and none came to an end.
  if (item.attempts > MAX_ATTEMPTS) return { is: "failed", message: CUT_OFF };
  try {
    const outcome = await run(ctx, item, kinds);
    const isOver = outcome.is === "again" && item.attempts >= MAX_ATTEMPTS;
    return isOver ? { is: "failed", message: outcome.message } : outcome;
  } catch (error) {
    if (error instanceof LostClaim) throw error;
    if (error instanceof AppError) return { is: "failed", message: error.message };
    logError(`imports: item ${item.id} failed, attempt ${item.attempts}`, error);
    return item.attempts >= MAX_ATTEMPTS
      ? { is: "failed", message: OUR_FAULT }
      : { is: "again", message: OUR_FAULT };
  }
}

async function run(ctx: Context, item: Claimed, kinds: ImportKinds): Promise<Outcome> {
  const [row] = await ctx.db
    .select({ kind: imports.kind, details: imports.details })
    .from(imports)
    .where(eq(imports.id, item.importId));
  const kind = kinds[row?.kind ?? ""];
  if (!kind) throw new Error(`No kind of import "${row?.kind}".`);
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
