import { and, eq, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import { isPublished, publishedKey } from "#worker/files/object-keys.ts";
import { deleteFiles, deleteObjects, findKnownKeys, removeObjects } from "#worker/files/objects.ts";
import { isUnused, type FileReferences } from "#worker/files/library/references.ts";
import { files } from "#worker/files/table.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import { hasUnfinished } from "#worker/imports/unfinished.ts";
import type { Context } from "#worker/platform/context.ts";
import { logAsNull } from "#worker/platform/log.ts";
import { RESTORE } from "#worker/restores/contract.ts";
import { isHalfRestored } from "#worker/restores/staging.ts";

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds for which D1's Time Travel can bring back the row of an object. */
const RETURN_MS = 30 * DAY;
/**
 * A run must stay within one invocation's 50 requests to R2 and D1 on the Free plan; the rest waits for the next run.
 */
const UPLOADS_A_RUN = 15;
const FILES_A_RUN = 200;
const OBJECTS_A_RUN = 500;

/** Where the next run continues in the bucket. */
const CURSOR = "files:sweep-after";

/**
 * Daily: deletes uploads idle for a day, files unused for a day unless they are set to stay, and objects that have been in
 * R2 for 30 days without a row. The last two wait for a restore to end, or for 30 days if it was cancelled, and the objects
 * of a new database for 30 days.
 */
export async function sweepFiles(ctx: Context, references: FileReferences) {
  requireCapability("edit", ctx);
  const dayAgo = new Date(ctx.now.getTime() - DAY);
  await removeNeverBegun(ctx, dayAgo);
  await removeUnfinished(ctx, dayAgo);
  const { isRestoring, isNew } = await readMissing(ctx);
  if (isRestoring || (await isHalfRestored(ctx))) return;
  await removeUnused(ctx, dayAgo, references);
  if (!isNew) await removeOrphans(ctx);
}

/**
 * Why rows may be missing: a restore has not ended, or the database is so new that it may have replaced a lost one, whose
 * archive is not restored yet.
 */
async function readMissing({ db, now }: Context) {
  const before = (now.getTime() - RETURN_MS) / 1000;
  // Wrangler's own table. Its times are UTC, as `datetime` writes them.
  const isOld = sql`exists (select 1 from d1_migrations where applied_at <= datetime(${before}, 'unixepoch'))`;
  const [row] = await db.all<{ isRestoring: number; isNew: number }>(
    sql`select ${hasUnfinished(RESTORE)} as isRestoring, not ${isOld} as isNew`,
  );
  return row!;
}

/** A literal, not a parameter, so that SQLite uses the index of unfinished uploads. */
const isUnfinished = sql`${files.status} = 'uploading'`;

/** Uploads without a first part have nothing in R2. */
async function removeNeverBegun({ db }: Context, dayAgo: Date) {
  await db.delete(files).where(and(isUnfinished, isNull(files.uploadId), lt(files.createdAt, dayAgo)));
}

async function removeUnfinished(ctx: Context, dayAgo: Date) {
  const idle = ctx.db
    .select({ id: files.id })
    .from(files)
    .where(and(isUnfinished, lt(files.lastPartAt, dayAgo)))
    .limit(UPLOADS_A_RUN);
  const { id, statements } = deleteFiles(ctx, inArray(files.id, idle));
  await ctx.db.batch(statements);
  // A request that crashed before it stored the result may have joined its parts.
  await deleteObjects(ctx, id);
}

/**
 * Deletes files that have been unused for a day: until then listeners can finish, and apps can fetch the feed again.
 * The picture found inside an audio file becomes unused when that file is deleted.
 */
async function removeUnused(ctx: Context, dayAgo: Date, references: FileReferences) {
  const outOfUse = ctx.db
    .select({ id: files.id })
    .from(files)
    .where(lte(files.unusedAt, dayAgo))
    .limit(FILES_A_RUN);
  // One batch: no item can start to use a file between the check and the deletion.
  const { id, statements } = deleteFiles(ctx, inArray(files.id, outOfUse));
  await ctx.db.batch([markUnused(ctx, references), ...statements]);
  await deleteObjects(ctx, id);
}

/** Sets `unused_at` of files that became unused, and clears it of those in use again. Other rows are not written. */
function markUnused({ db, now }: Context, references: FileReferences) {
  const isOutOfUse = and(isNull(files.keptAt), isUnused(references));
  const isMarked = isNotNull(files.unusedAt);
  return db
    .update(files)
    .set({ unusedAt: sql`case when ${isMarked} then null else ${now.getTime()} end` })
    .where(and(eq(files.status, "complete"), sql`(${isMarked}) <> (${isOutOfUse})`));
}

/** Deletes old objects without a row in our folders, one section of the bucket each run. */
async function removeOrphans(ctx: Context) {
  const before = new Date(ctx.now.getTime() - RETURN_MS);
  // Without KV, from the beginning.
  const startAfter =
    (await ctx.kv.get(CURSOR).catch(logAsNull("files: KV did not say where to continue"))) ?? undefined;
  const { objects, truncated } = await ctx.media.list({ limit: OBJECTS_A_RUN, startAfter });
  const old = objects.filter(({ key, uploaded }) => isOurs(key) && uploaded < before).map(({ key }) => key);
  const known = await findKnownKeys(ctx, old);
  const orphans = old.filter((key) => !known.has(key));
  if (orphans.length > 0) await removeObjects(ctx, orphans);
  const last = objects.at(-1)?.key;
  const noted = truncated && last ? ctx.kv.put(CURSOR, last) : ctx.kv.delete(CURSOR);
  await noted.catch(logAsNull("files: KV did not note where to continue"));
}

const isOurs = (key: string) => isPublished(publishedKey(key));
