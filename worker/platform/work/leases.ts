import { and, eq, gt, lte, or, sql, type SQL } from "drizzle-orm";
import type { SelectedFieldsFlat, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";

/** Milliseconds after which a claim lapses that is not renewed: its consumer was cut off. */
export const CLAIM_MS = 5 * 60_000;
/** Milliseconds between two renewals of a claim: four may fail in a row. */
const RENEW_MS = 60_000;
/** Milliseconds that a row waits after its first attempt, and twice as long after each further one. */
const FIRST_WAIT_MS = 60_000;

type TableWith<Columns extends string> = SQLiteTable & Record<Columns, SQLiteColumn>;

/**
 * A table whose rows wait, are claimed by one consumer at a time, and are settled. The conditions have no parameters, so
 * that SQLite can match them with partial indexes.
 */
export type Work = {
  /** In the log. */
  name: string;
  table: TableWith<"id" | "claim" | "attempts" | "notBefore">;
  isWaiting: SQL;
  isClaimed: SQL;
  /** The column with the time at which a claim lapses. */
  lapsesAt: "notBefore" | "claimedUntil";
  /** Attempts after which a row is given up. */
  maxAttempts: number;
};

/** Work that is done for a row of another table, such as the deliveries of a letter. */
export type PartialWork = Work & {
  /** The column with the id of the other row. */
  parentId: SQLiteColumn;
  parent: TableWith<"id">;
  /** SQL: rows of that letter or import may be claimed. */
  runs: SQL;
};

/** A claim and the rows that it was made on. */
export type Held = { claim: string; ids: (number | string)[] };

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
const timeOf = ({ table, lapsesAt }: Work) => (table as unknown as Record<string, SQLiteColumn>)[lapsesAt]!;

/** SQL: the row waits, and its time has come. */
export const isDue = (work: Work, now: Date) => and(work.isWaiting, lte(work.table.notBefore, now))!;

/** SQL: the row was claimed by a consumer that was cut off. */
export const hasLapsed = (work: Work, now: Date) => and(work.isClaimed, lte(timeOf(work), now))!;

/** SQL: a consumer works on the row. */
export const isLive = (work: Work, now: Date) => and(work.isClaimed, gt(timeOf(work), now))!;

/** SQL: nobody works on the row; it may be due later. */
export const isFree = (work: Work, now: Date) => or(work.isWaiting, hasLapsed(work, now))!;

/** SQL: the letter or import is one whose rows may be claimed. */
export const isRunning = ({ parent, runs }: PartialWork, id: number) =>
  sql`exists (select 1 from ${parent} where ${parent.id} = ${id} and ${runs})`;

/** SQL: the row is still the consumer's. One that lost its claim writes nothing any more. */
export const isHeld = ({ table, isClaimed }: Work, { claim, ids }: Held) =>
  and(
    sql`${table.id} in (select value from json_each(${JSON.stringify(ids)}) as given)`,
    eq(table.claim, claim),
    isClaimed,
  )!;

/** The name of a claim. It begins with the time at which it was made, in milliseconds UTC. */
const newClaim = (now: Date) => `${now.getTime()}-${crypto.randomUUID()}`;

/** Milliseconds since a claim was made for the first time; NaN where its name does not tell. */
export const ageOf = (claim: string, now: Date) => now.getTime() - Number.parseInt(claim, 10);

type Claim<Fields> = {
  /** SQL: the rows. One statement claims them, so no two consumers get the same. */
  which: (now: Date) => SQL | undefined;
  /** Columns that change with the claim. */
  set?: (now: Date) => Record<string, unknown>;
  returning: Fields;
  /** The former name, for rows that are claimed again together. */
  claim?: string;
};

/** Claims rows, and counts one more attempt on each. */
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

/** The columns by which a claim lasts anew. */
export const renewed = ({ lapsesAt }: Work, now: Date) => ({ [lapsesAt]: after(now, CLAIM_MS) });

/** Renews a claim until the work ends. A renewal that fails is made up for by the next. */
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

/** When a row is tried again after 1, 2, 4 … minutes, or after the wait that is named; null where this was its last attempt. */
export const nextTry = ({ maxAttempts }: Work, attempts: number, now: Date, waitMs?: number) =>
  attempts < maxAttempts ? after(now, waitMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1)) : null;

/** The statement that counts settled rows in the letter or import. It follows theirs, and counts only what that settled. */
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

/** The statement that pauses a letter or import which runs, with a reason for the owner. */
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

/** Finishes a letter or import which runs, once no row waits or is claimed. */
export async function finishIfDone(
  { db }: Context,
  { parent, parentId, table, isWaiting, isClaimed, runs }: PartialWork,
  id: number,
  columns: Record<string, unknown>,
) {
  const isLeft = (state: SQL) => sql`exists (select 1 from ${table} where ${parentId} = ${id} and ${state})`;
  await db
    .update(parent as SQLiteTable)
    .set(columns)
    .where(and(eq(parent.id, id), runs, sql`not ${isLeft(isWaiting)} and not ${isLeft(isClaimed)}`));
}
