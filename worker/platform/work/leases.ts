import { and, eq, gt, lte, or, sql, type SQL } from "drizzle-orm";
import type { SelectedFieldsFlat, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { isOverDailyLimit } from "#worker/platform/data/daily-limit.ts";
import { logError } from "#worker/platform/log.ts";

/** Milliseconds after which a claim lapses unless it is renewed: its consumer was interrupted. */
export const CLAIM_MS = 5 * 60_000;
/** Milliseconds between two renewals of a claim: four may fail in a row. */
const RENEW_MS = 60_000;
/** Milliseconds that a row waits after its first attempt; the wait doubles with each further one. */
const FIRST_WAIT_MS = 60_000;

type TableWith<Columns extends string> = SQLiteTable & Record<Columns, SQLiteColumn>;

/**
 * A table whose rows wait, are claimed by one consumer at a time, and are finished. The conditions have no parameters,
 * so that SQLite can match them with partial indexes.
 */
export type Work = {
  /** For the log. */
  name: string;
  table: TableWith<"id" | "claim" | "attempts" | "notBefore">;
  isWaiting: SQL;
  isClaimed: SQL;
  /** The column with the time at which a claim lapses. */
  lapsesAt: "notBefore" | "claimedUntil";
  /** The number of attempts, after which a row has failed. */
  maxAttempts: number;
};

/** Work whose rows belong to a row of another table, such as the deliveries of a letter. */
export type PartialWork = Work & {
  /** The column with the parent row's id. */
  parentId: SQLiteColumn;
  parent: TableWith<"id">;
  /** SQL: the parent's rows may be claimed. */
  runs: SQL;
};

/** A claim and its rows. */
export type Held = { claim: string; ids: (number | string)[] };

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
const timeOf = ({ table, lapsesAt }: Work) => (table as unknown as Record<string, SQLiteColumn>)[lapsesAt]!;

/** SQL: the row waits, and is due. */
export const isDue = (work: Work, now: Date) => and(work.isWaiting, lte(work.table.notBefore, now))!;

/** SQL: the row was claimed by a consumer that was interrupted. */
export const hasLapsed = (work: Work, now: Date) => and(work.isClaimed, lte(timeOf(work), now))!;

/** SQL: a consumer is working on the row. */
export const isLive = (work: Work, now: Date) => and(work.isClaimed, gt(timeOf(work), now))!;

/** SQL: no consumer is working on the row, which may not be due yet. */
export const isFree = (work: Work, now: Date) => or(work.isWaiting, hasLapsed(work, now))!;

/** SQL: the rows of this parent may be claimed. */
export const isRunning = ({ parent, runs }: PartialWork, id: number) =>
  sql`exists (select 1 from ${parent} where ${parent.id} = ${id} and ${runs})`;

/** SQL: the consumer still holds the row. A consumer that lost its claim must not write. */
export const isHeld = ({ table, isClaimed }: Work, { claim, ids }: Held) =>
  and(
    sql`${table.id} in (select value from json_each(${JSON.stringify(ids)}) as given)`,
    eq(table.claim, claim),
    isClaimed,
  )!;

/** A new claim's name. It begins with the current time in milliseconds UTC. */
const newClaim = (now: Date) => `${now.getTime()}-${crypto.randomUUID()}`;

/** Milliseconds since a claim was first made; NaN if its name has no time. */
export const ageOf = (claim: string, now: Date) => now.getTime() - Number.parseInt(claim, 10);

type Claim<Fields> = {
  /** SQL: the rows. One statement claims them, so no two consumers get the same. */
  which: (now: Date) => SQL | undefined;
  /** Columns that change with the claim. */
  set?: (now: Date) => Record<string, unknown>;
  returning: Fields;
  /** The previous claim's name, for rows that are claimed again together. */
  claim?: string;
};

/** Claims rows, and counts an attempt on each. */
export async function claimRows<Fields extends SelectedFieldsFlat>(
  { db, clock }: Context,
  { table, lapsesAt }: Work,
  { which, set, returning, ...named }: Claim<Fields>,
) {
  const now = clock();
  const claim = named.claim ?? newClaim(now);
  const claimed = { claim, [lapsesAt]: after(now, CLAIM_MS), attempts: sql`${table.attempts} + 1` };
  const rows = await db
    .update(table as SQLiteTable)
    .set({ ...claimed, ...set?.(now) })
    .where(which(now))
    .returning(returning);
  return { claim, rows };
}

/** The columns that renew a claim. */
export const renewed = ({ lapsesAt }: Work, now: Date) => ({ [lapsesAt]: after(now, CLAIM_MS) });

/** Renews a claim until the work ends. If a renewal fails, the next one makes up for it. */
export async function whileRenewed<Result>(
  { db, clock }: Context,
  work: Work,
  held: Held,
  run: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    db
      .update(work.table as SQLiteTable)
      .set(renewed(work, clock()))
      .where(isHeld(work, held))
      .catch((error: unknown) => logError(`${work.name}: a claim was not renewed`, error));
  const renewal = setInterval(() => void renew(), RENEW_MS);
  try {
    return await run();
  } finally {
    clearInterval(renewal);
  }
}

/** Milliseconds before each retry of a write of outcomes. */
const STORE_WAITS_MS = [250, 1000, 4000, 15_000];

/**
 * Stores outcomes, retrying while they are in memory: without them, the work would be done a second time. Run again, the
 * write must change nothing, as one does that is restricted to held rows.
 */
export async function storeOutcome(name: string, write: () => PromiseLike<unknown>) {
  for (const wait of STORE_WAITS_MS) {
    try {
      await write();
      return;
    } catch (error) {
      if (isOverDailyLimit(error)) throw error;
      logError(`${name}: an outcome was not stored, and is stored again in ${wait} ms`, error);
    }
    await scheduler.wait(wait);
  }
  await write();
}

/** The time of the next attempt: after 1, 2, 4 … minutes, or `waitMs`; null after the last attempt. */
export const nextTry = ({ maxAttempts }: Work, attempts: number, now: Date, waitMs?: number) =>
  attempts < maxAttempts ? after(now, waitMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1)) : null;

/**
 * The statement that adds the finished rows to the parent's counts. It runs after the statement that finishes them, and
 * counts only its rows.
 */
export const countSettled = (
  { db }: Context,
  { parent }: PartialWork,
  id: number,
  counts: Record<string, unknown>,
) =>
  db
    .update(parent as SQLiteTable)
    .set(counts)
    .where(and(eq(parent.id, id), sql`changes() > 0`));

/** The statement that pauses a running parent, with a reason for the owner. */
export const stopStatement = (
  { db }: Context,
  { parent, runs }: PartialWork,
  id: number,
  { condition, ...columns }: { condition?: SQL; pausedReason: string } & Record<string, unknown>,
) =>
  db
    .update(parent as SQLiteTable)
    .set(columns)
    .where(and(eq(parent.id, id), runs, condition));

/** The statement that finishes a running parent once no row waits or is claimed. */
export function finishIfDone(
  { db }: Context,
  { parent, parentId, table, isWaiting, isClaimed, runs }: PartialWork,
  id: number,
  columns: Record<string, unknown>,
) {
  const isLeft = (state: SQL) => sql`exists (select 1 from ${table} where ${parentId} = ${id} and ${state})`;
  return db
    .update(parent as SQLiteTable)
    .set(columns)
    .where(and(eq(parent.id, id), runs, sql`not ${isLeft(isWaiting)} and not ${isLeft(isClaimed)}`));
}
