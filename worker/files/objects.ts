import { keysOf, type Stored } from "#worker/files/pictures/picture.ts";
import type { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** A file's key in R2, and its multipart upload while that is open. */
export type Place = Pick<typeof files.$inferSelect, "key" | "uploadId">;

/** R2's code for an upload that is already completed or aborted. */
const NO_SUCH_UPLOAD = "(10024)";

/**
 * Aborts the open multipart upload of a file; idempotent. Call it before the row is deleted: an open upload is not an
 * object, so without the row it would never be found.
 */
export async function abortUpload({ media }: Context, { key, uploadId }: Place) {
  if (!uploadId) return;
  try {
    await media.resumeMultipartUpload(key, uploadId).abort();
  } catch (error) {
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
  }
}

/** Keys of one R2 delete. */
const KEYS_A_DELETE = 1000;

/** Deletes the objects of files whose rows are deleted. After a crash, the daily sweep finds the rest. */
export async function removeObjects({ media }: Context, removed: Stored[]) {
  const keys = removed.flatMap(keysOf);
  for (let at = 0; at < keys.length; at += KEYS_A_DELETE) {
    await media.delete(keys.slice(at, at + KEYS_A_DELETE));
  }
}
