import { sql } from "drizzle-orm";
import { copiesAmong, FILES, manifestKey, type CopyObject, type Stored } from "#worker/backups/store.ts";
import { listPieces } from "#worker/backups/pieces.ts";
import { backupFiles, backupRuns } from "#worker/backups/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";

const DAY_MS = 86_400_000;
/** Nothing younger is ever deleted, by the time at which R2 received it. */
export const LOCK_DAYS = 30;
/** Days after which the loose pieces of a copy that was abandoned are deleted. */
const PIECE_DAYS = 2;
/** Files that a step deletes: each takes three requests. */
const FILES_A_STEP = 10;
/** Objects of old copies that a step deletes. */
const OBJECTS_A_STEP = 30;
/** Rows of former runs that stay. */
const RUNS = 200;

/** Periods of which the newest copy stays: how many of them, and the period of a day since 1970. */
const PERIODS: [count: number, periodOf: (time: Date) => number][] = [
  [7, dayOf],
  // 1 January 1970 was a Thursday, and a week begins on Monday.
  [5, (time) => Math.floor((dayOf(time) + 3) / 7)],
  [12, (time) => time.getUTCFullYear() * 12 + time.getUTCMonth()],
];

function dayOf(time: Date) {
  return Math.floor(time.getTime() / DAY_MS);
}

const isOlder = (uploaded: Date, days: number, now: Date) =>
  now.getTime() - uploaded.getTime() > days * DAY_MS;

/**
 * The copies that stay: those of the last 30 days, and the newest of each of the last 7 days, 5 weeks and 12 months that
 * have one. A month without copies thus costs none of the older ones.
 */
export function retained(copies: Stored[], now: Date) {
  const stay = new Set(copies.filter(({ uploaded }) => !isOlder(uploaded, LOCK_DAYS, now)));
  for (const [count, periodOf] of PERIODS) {
    const newest = new Map(copies.map((copy) => [periodOf(copy.uploaded), copy]));
    const periods = [...newest.keys()].toSorted((a, b) => b - a).slice(0, count);
    for (const period of periods) stay.add(newest.get(period)!);
  }
  return copies.filter((copy) => stay.has(copy));
}

/**
 * Deletes copies beyond the retention, and files that no copy names. `now` is R2's time: the Worker's clock may
 * be wrong. Returns whether there is more to delete. A bucket lock may refuse: then they stay.
 */
export async function deleteOld(ctx: Context, objects: CopyObject[], now: Date) {
  const copies = copiesAmong(objects);
  const stay = retained(copies, now);
  const names = new Set(stay.map(({ name }) => name));
  const old = objects
    .filter(({ copy, uploaded }) => !names.has(copy) && isOlder(uploaded, LOCK_DAYS, now))
    .map(({ key }) => key)
    // Manifests first, so that no copy with a manifest is ever incomplete.
    .toSorted((a, b) => Number(isManifest(b)) - Number(isManifest(a)));
  const isDeleted = await tryDelete(ctx, old.slice(0, OBJECTS_A_STEP));
  const left = await deleteFiles(ctx, stay, now);
  await deleteAbandoned(ctx, now);
  await ctx.db
    .delete(backupRuns)
    .where(sql`${backupRuns.id} <= (select max(id) - ${RUNS} from ${backupRuns})`);
  return left || (isDeleted && old.length > OBJECTS_A_STEP);
}

const isManifest = (key: string) => key === manifestKey(key.split("/")[1] ?? "");

async function tryDelete({ backup }: Context, keys: string[]) {
  if (keys.length === 0) return true;
  try {
    await backup!.delete(keys);
    return true;
  } catch (error) {
    logError("backups: the bucket refused to delete old copies", error);
    return false;
  }
}

async function deleteFiles(ctx: Context, stay: Stored[], now: Date) {
  const numbers = JSON.stringify(stay.map(({ number }) => number));
  const { key, firstCopy, goneCopy } = backupFiles;
  const isNamed = sql`exists (select 1 from json_each(${numbers}) where value >= ${firstCopy} and value < ${goneCopy})`;
  const rows = await ctx.db
    .select({ key })
    .from(backupFiles)
    .where(sql`${goneCopy} is not null and not ${isNamed}`)
    // At random, so that young ones do not block the others.
    .orderBy(sql`random()`)
    .limit(FILES_A_STEP);
  const deleted: string[] = [];
  for (const row of rows) {
    const object = await ctx.backup!.head(FILES + row.key);
    if (object && !isOlder(object.uploaded, LOCK_DAYS, now)) continue;
    if (!object || (await tryDelete(ctx, [FILES + row.key]))) deleted.push(row.key);
  }
  if (deleted.length > 0)
    await ctx.db
      .delete(backupFiles)
      .where(sql`${key} in (select value from json_each(${JSON.stringify(deleted)}))`);
  return rows.length === FILES_A_STEP && deleted.length === rows.length;
}

/** Pieces of copies that failed. */
export async function deleteAbandoned(ctx: Context, now: Date) {
  const keys: string[] = [];
  for await (const { key, uploaded } of listPieces(ctx.backup!)) {
    if (isOlder(uploaded, PIECE_DAYS, now)) keys.push(key);
    if (keys.length === 1000) break;
  }
  await tryDelete(ctx, keys);
}
