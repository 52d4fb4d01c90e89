import { and, eq, sql, type SQL } from "drizzle-orm";
import { LostClaim, type Outcome } from "#worker/imports/kind.ts";
import { AT_ONCE } from "#worker/imports/queue.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Milliseconds after which an item whose message was cut off is taken up again. */
const CLAIM_MS = 2 * 60_000;
/** How often an item is tried that does not get on, before it has failed: for a quarter of an hour. */
export const MAX_ATTEMPTS = 5;
/** Characters of a message that are stored: everything that was left out of an item. */
const MESSAGE_LENGTH = 6000;

export type Claimed = typeof importItems.$inferSelect & { claim: string };

const claimEnd = (now: Date) => new Date(now.getTime() + CLAIM_MS);
const isOf = (importId: number, state: string) =>
  sql`${importItems.importId} = ${importId} and ${importItems.state} = ${state}`;
const isRunning = (importId: number) =>
  sql`exists (select 1 from ${imports} where ${imports.id} = ${importId} and ${imports.state} = 'running')`;

/** SQL: how many items of an import are worked on. */
export const liveItems = (importId: number | SQL, now: Date) => sql<number>`(
  select count(*) from ${importItems} where ${importItems.importId} = ${importId}
    and ${importItems.state} = 'working' and ${importItems.notBefore} > ${now.getTime()})`;

/**
 * Claims the next item that is due, one that was cut off first; null where there is none, where the import does not run,
 * and where enough of it is worked on. One statement: no other message gets the same.
 */
export async function claimNext({ db, clock }: Context, importId: number): Promise<Claimed | null> {
  const now = clock();
  const claim = crypto.randomUUID();
  const due = (state: string) => sql`(select ${importItems.id} from ${importItems}
    where ${isOf(importId, state)} and ${importItems.notBefore} <= ${now.getTime()}
    order by ${importItems.id} limit 1)`;
  const [row] = await db
    .update(importItems)
    .set({
      state: "working",
      claim,
      notBefore: claimEnd(now),
      attempts: sql`${importItems.attempts} + 1`,
    })
    .where(
      and(
        sql`${importItems.id} = coalesce(${due("working")}, ${due("waiting")})`,
        isRunning(importId),
        sql`${liveItems(importId, now)} < ${AT_ONCE}`,
      ),
    )
    .returning();
  return row ? { ...row, claim } : null;
}

const holds = ({ id, claim }: Claimed) =>
  and(eq(importItems.id, id), eq(importItems.claim, claim), eq(importItems.state, "working"));

/** An item that takes long stays claimed. */
export const renewClaim = ({ db, clock }: Context, claimed: Claimed) =>
  db
    .update(importItems)
    .set({ notBefore: claimEnd(clock()) })
    .where(holds(claimed));

type Bytes = { size?: number; moved?: number };

/**
 * Saves how far an item is; false where the import does not run any more. Saving the same again is no progress: its
 * attempts are counted on.
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
      notBefore: claimEnd(clock()),
      ...(size !== undefined && { size }),
      ...(moved !== undefined && { moved }),
    })
    .where(holds(claimed))
    .returning({ id: importItems.id });
  const state = db.select({ state: imports.state }).from(imports).where(eq(imports.id, claimed.importId));
  const [held, [row]] = await db.batch([store, state]);
  if (held.length === 0) throw new LostClaim();
  return row?.state === "running";
}

/** Stores what became of an item, and counts it. Nothing is written by whoever lost the claim. */
export async function settle({ db, clock }: Context, claimed: Claimed, outcome: Outcome) {
  const now = clock();
  const store = db
    .update(importItems)
    .set(columnsOf(claimed, outcome, now))
    .where(holds(claimed));
  if (outcome.is === "more" || outcome.is === "again") return void (await store);
  if (outcome.is === "stop") {
    const pause = db
      .update(imports)
      .set({ state: "paused", pausedReason: shortened(outcome.message), updatedAt: now })
      .where(and(eq(imports.id, claimed.importId), eq(imports.state, "running"), sql`changes() > 0`));
    return void (await db.batch([store, pause]));
  }
  const moved = sql`(select ${importItems.moved} from ${importItems} where ${importItems.id} = ${claimed.id})`;
  const count = db
    .update(imports)
    .set({
      [outcome.is]: sql`${imports[outcome.is]} + 1`,
      ...(outcome.is === "done" && { bytesMoved: sql`${imports.bytesMoved} + ${moved}` }),
      updatedAt: now,
    })
    .where(and(eq(imports.id, claimed.importId), sql`changes() > 0`));
  await db.batch([store, count]);
}

/** Waits of 1, 2, 4 … minutes, unless the outcome says for how long. */
function columnsOf(
  { attempts }: Claimed,
  outcome: Outcome,
  now: Date,
): Partial<typeof importItems.$inferInsert> {
  switch (outcome.is) {
    case "more":
    case "stop":
      return { state: "waiting", attempts: 0, notBefore: now, claim: null };
    case "again": {
      const waitMs = outcome.afterMs ?? 60_000 * 2 ** (attempts - 1);
      const notBefore = new Date(now.getTime() + waitMs);
      return { state: "waiting", message: shortened(outcome.message), notBefore, claim: null };
    }
    default: {
      const { message = null } = outcome;
      const result = "result" in outcome && outcome.result !== undefined ? String(outcome.result) : null;
      const words = message === null ? null : shortened(message);
      return { state: outcome.is, message: words, result, settledAt: now, claim: null, saved: null };
    }
  }
}

const shortened = (message: string) =>
  message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH - 1).toWellFormed()}…`;

/** Closes an import of which nothing is left to be done. */
export async function finishIfDone({ db, clock }: Context, importId: number) {
  const isLeft = (state: string) => sql`exists (select 1 from ${importItems} where ${isOf(importId, state)})`;
  await db
    .update(imports)
    .set({ state: "done", finishedAt: clock(), updatedAt: clock() })
    .where(
      and(
        eq(imports.id, importId),
        eq(imports.state, "running"),
        sql`not ${isLeft("waiting")} and not ${isLeft("working")}`,
      ),
    );
}
