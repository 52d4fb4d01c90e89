import { sql } from "drizzle-orm";
import { heldBy, importWork, type Claimed } from "#worker/imports/claims.ts";
import type { Outcome } from "#worker/imports/import-type.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { countSettled, isHeld, nextTry, stopStatement, storeOutcome } from "#worker/platform/work/leases.ts";

/** Characters of a message that are stored: everything that was left out of an item. */
const MESSAGE_LENGTH = 6000;

/** Stores the outcome of an item, and counts it. A consumer that lost the claim writes nothing. */
export const settle = (ctx: Context, claimed: Claimed, outcome: Outcome) =>
  storeOutcome(importWork.name, () => write(ctx, claimed, outcome));

async function write(ctx: Context, claimed: Claimed, outcome: Outcome) {
  const now = ctx.clock();
  const { id, importId } = claimed;
  const columns = columnsOf(claimed, outcome, now);
  const store = ctx.db
    .update(importItems)
    .set(columns)
    .where(isHeld(importWork, heldBy(claimed)));
  if (outcome.is === "pause") {
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
  if (outcome.is === "more" || outcome.is === "pause") return { ...waiting, attempts: 0, notBefore: now };
  const { message } = outcome;
  const words = { message: message === undefined ? null : shortened(message) };
  if (outcome.is === "wait") {
    const notBefore = new Date(now.getTime() + outcome.forMs);
    return { ...waiting, ...words, attempts: sql`max(0, ${importItems.attempts} - 1)`, notBefore };
  }
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
