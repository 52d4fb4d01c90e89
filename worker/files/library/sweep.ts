import { and, eq, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import { findStoredInBin } from "#worker/files/binned.ts";
import { fileIdOf, isPublished, publishedKey } from "#worker/files/object-keys.ts";
import { abortUpload, removeObjects, type Place } from "#worker/files/objects.ts";
import { keysOf, storedColumns } from "#worker/files/pictures/picture.ts";
import { isUnused, type FileReferences } from "#worker/files/library/references.ts";
import { files } from "#worker/files/table.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { logAsNull, logError } from "#worker/platform/log.ts";

const DAY = 24 * 60 * 60 * 1000;
/**
 * A run must stay within one invocation's 50 requests to R2 and D1 on the Free plan; the rest waits for the next run.
 */
const UPLOADS_A_RUN = 20;
const FILES_A_RUN = 200;
const OBJECTS_A_RUN = 500;

/** Where the next run continues in the bucket. */
const CURSOR = "files:sweep-after";

/**
 * Daily: deletes uploads idle for a day, files unused for a day unless they are set to stay, and day-old
 * objects that a crash left in R2.
 */
export async function sweepFiles(ctx: Context, references: FileReferences) {
  requireCapability("edit", ctx);
  const dayAgo = new Date(ctx.now.getTime() - DAY);
  await removeNeverBegun(ctx, dayAgo);
  await removeUnfinished(ctx, dayAgo);
  await removeUnused(ctx, dayAgo, references);
  await removeOrphans(ctx, dayAgo);
}

/** A literal, not a parameter, so that SQLite uses the index of unfinished uploads. */
const isUnfinished = sql`${files.status} = 'uploading'`;

/** Uploads without a first part have nothing in R2. */
async function removeNeverBegun({ db }: Context, dayAgo: Date) {
  await db.delete(files).where(and(isUnfinished, isNull(files.uploadId), lt(files.createdAt, dayAgo)));
}

async function removeUnfinished(ctx: Context, dayAgo: Date) {
  const idle = await ctx.db
    .select({ id: files.id, key: files.key, uploadId: files.uploadId })
    .from(files)
    .where(and(isUnfinished, lt(files.lastPartAt, dayAgo)))
    // In random order, so that uploads that R2 refuses to abort do not block the others for ever.
    .orderBy(sql`random()`)
    .limit(UPLOADS_A_RUN);
  const ended: string[] = [];
  for (const upload of idle) if (await endUpload(ctx, upload)) ended.push(upload.id);
  const removed = await ctx.db
    .delete(files)
    .where(and(inArray(files.id, ended), isUnfinished))
    .returning(storedColumns(files));
  // A request that crashed before it stored the result may have joined its parts.
  await removeObjects(ctx, removed);
}

/** Returns whether it was aborted. If R2 refuses, the row stays for the next run, and the other uploads continue. */
async function endUpload(ctx: Context, upload: Place) {
  try {
    await abortUpload(ctx, upload);
    return true;
  } catch (error) {
    logError(`files: the upload to ${upload.key} could not be ended`, error);
    return false;
  }
}

/**
 * Deletes files that have been unused for a day: until then listeners can finish, and apps can fetch the feed again.
 * The picture found inside an audio file becomes unused when that file is deleted. Rows first: after a crash in
 * between, the objects are orphans for the next run.
 */
async function removeUnused(ctx: Context, dayAgo: Date, references: FileReferences) {
  const outOfUse = ctx.db
    .select({ id: files.id })
    .from(files)
    .where(lte(files.unusedAt, dayAgo))
    .limit(FILES_A_RUN);
  // One batch: no item can start to use a file between the check and the deletion.
  const [, removed] = await ctx.db.batch([
    markUnused(ctx, references),
    ctx.db.delete(files).where(inArray(files.id, outOfUse)).returning(storedColumns(files)),
  ]);
  await removeObjects(ctx, removed);
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
async function removeOrphans(ctx: Context, dayAgo: Date) {
  // Without KV, from the beginning.
  const startAfter =
    (await ctx.kv.get(CURSOR).catch(logAsNull("files: KV did not say where to continue"))) ?? undefined;
  const { objects, truncated } = await ctx.media.list({ limit: OBJECTS_A_RUN, startAfter });
  const old = objects.filter(({ key, uploaded }) => isOurs(key) && uploaded < dayAgo).map(({ key }) => key);
  const known = await findKnownKeys(ctx, old);
  const orphans = old.filter((key) => !known.has(key));
  if (orphans.length > 0) await ctx.media.delete(orphans);
  const last = objects.at(-1)?.key;
  const noted = truncated && last ? ctx.kv.put(CURSOR, last) : ctx.kv.delete(CURSOR);
  await noted.catch(logAsNull("files: KV did not note where to continue"));
}

/** Of files, and of those in the bin. */
async function findKnownKeys(ctx: Context, keys: string[]) {
  const ids = sql`select value from json_each(${JSON.stringify(keys.map(fileIdOf))})`;
  const rows = await ctx.db
    .select(storedColumns(files))
    .from(files)
    .where(sql`${files.id} in (${ids})`);
  const inBin = await findStoredInBin(ctx, ids);
  return new Set([...rows, ...inBin].flatMap(keysOf));
}

const isOurs = (key: string) => isPublished(publishedKey(key));
