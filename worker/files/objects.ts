import { inArray, sql, type SQL } from "drizzle-orm";
import { readAs } from "#worker/bin/binned-columns.ts";
import { folders } from "#worker/files/contract.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import { keysOf, storedColumns, type Stored } from "#worker/files/pictures/picture.ts";
import { binnedFiles, files, objectHashes } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";
import { deliverOutbox, outboxRow, outboxRowIf, type Deliver } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";

/** The topic of the rows that have objects deleted from R2. */
export const OBJECTS_TOPIC = "objects";

/** R2's code for an upload that is already completed or aborted. */
export const NO_SUCH_UPLOAD = "(10024)";
/** Keys of one R2 delete. */
const KEYS_A_DELETE = 1000;

/** What R2 may hold of a file: its objects, and a multipart upload that may be open. */
type Objects = Stored & Pick<typeof files.$inferSelect, "uploadId">;

const NO_COPIES = { uploadId: null, variants: null, avifVariants: null, mailCopy: null };

/**
 * The statements that delete files, and record in the same batch which objects to delete from R2; the second returns the
 * ids. Call `deleteObjects` once the batch is committed.
 */
export function deleteFiles(ctx: Context, which: SQL) {
  const { id, statement } = recordObjects(ctx, files, sql`${files} where ${which}`);
  // The recorded files alone, whatever the condition finds a second time.
  const recorded = sql`(select value ->> 'id' from ${outbox}, json_each(${outbox.payload}) where ${outbox.id} = ${id})`;
  const remove = ctx.db.delete(files).where(inArray(files.id, recorded)).returning({ id: files.id });
  return { id, statements: [statement, remove] as const };
}

const inBin = readAs(files, binnedFiles) as typeof files;

/** The outbox row for the objects of files in the bin; for the batch that deletes them for good. */
export const deleteObjectsInBin = (ctx: Context, ids: SQL) =>
  recordObjects(ctx, inBin, sql`${binnedFiles} where ${binnedFiles.id} in (${ids})`);

function recordObjects(ctx: Context, of: typeof files, rows: SQL) {
  const { key, variants, avifVariants, mailCopy } = storedColumns(of);
  const each = sql`json_object('id', ${of.id}, 'key', ${key}, 'uploadId', ${of.uploadId}, 'variants', json(${variants}),
    'avifVariants', json(${avifVariants}), 'mailCopy', json(${mailCopy}))`;
  const found = sql`(select json_group_array(json(found)) from (select ${each} as found from ${rows}))`;
  return outboxRowIf(ctx, OBJECTS_TOPIC, found, sql`exists (select 1 from ${rows})`);
}

type Recorded = Partial<Objects> & Pick<Objects, "key">;

/** The outbox row that has objects deleted whose file exists; for the batch that ends their use. */
export const deleteObject = (ctx: Context, object: Recorded) =>
  outboxRow(ctx, OBJECTS_TOPIC, [{ ...NO_COPIES, ...object }]);

/** The same, for the copies of a picture that may have been deleted while they were made. */
export const deleteCopiesOfDeleted = (ctx: Context, fileId: string, copies: Recorded) =>
  outboxRowIf(
    ctx,
    OBJECTS_TOPIC,
    [{ ...NO_COPIES, ...copies }],
    sql`not exists (select 1 from ${files} where ${files.id} = ${fileId})`,
  );

/** Deletes the recorded objects now. What fails is retried by the outbox. */
export async function deleteObjects(ctx: Context, id: string) {
  try {
    await deliverOutbox(ctx, id, { [OBJECTS_TOPIC]: deliverDeletion });
  } catch (error) {
    logError("files: objects wait for the outbox to delete them", error);
  }
}

/** Deletes a row's objects from R2, except those of files that exist or are in the bin: an import may bring a file back. */
export const deliverDeletion: Deliver = async (ctx, payload) => {
  const deleted = payload as Objects[];
  const keys = deleted.flatMap(keysOf);
  const known = await findKnownKeys(ctx, keys);
  const gone = keys.filter((key) => !known.has(key));
  // First: an upload that is joined until then is one of the objects.
  const aborted = await Promise.allSettled(deleted.map((object) => abortUpload(ctx, object)));
  await removeObjects(ctx, gone);
  const failed = aborted.find(({ status }) => status === "rejected");
  if (failed) throw (failed as PromiseRejectedResult).reason;
};

/** Deletes whatever R2 has of a file without a row, such as copies that were made while it was deleted. */
export async function deleteObjectsOf(ctx: Context, fileId: string) {
  const listed = await Promise.all(
    Object.keys(folders).map((folder) => ctx.media.list({ prefix: `${folder}/${fileId}/` })),
  );
  const keys = listed.flatMap(({ objects }) => objects.map(({ key }) => key));
  const known = await findKnownKeys(ctx, keys);
  const gone = keys.filter((key) => !known.has(key));
  if (gone.length > 0) await removeObjects(ctx, gone);
}

/** Deletes objects from R2, and then their hashes, whose keys contain the names of their files. */
export async function removeObjects({ media, db }: Context, keys: string[]) {
  for (let at = 0; at < keys.length; at += KEYS_A_DELETE)
    await media.delete(keys.slice(at, at + KEYS_A_DELETE));
  const removed = sql`(select value from json_each(${JSON.stringify(keys)}))`;
  await db.delete(objectHashes).where(inArray(objectHashes.key, removed));
}

async function abortUpload({ media }: Context, { key, uploadId }: Objects) {
  if (!uploadId) return;
  try {
    await media.resumeMultipartUpload(key, uploadId).abort();
  } catch (error) {
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
  }
}

/** Those of the keys that belong to files, or to copies of files, that exist or are in the bin. */
export async function findKnownKeys({ db }: Context, keys: string[]) {
  const ids = [...new Set(keys.map(fileIdOf))];
  const asked = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  const [present, deleted] = await db.batch([
    db.select(storedColumns(files)).from(files).where(inArray(files.id, asked)),
    db.select(storedColumns(inBin)).from(binnedFiles).where(inArray(binnedFiles.id, asked)),
  ]);
  return new Set([...present, ...deleted].flatMap(keysOf));
}
