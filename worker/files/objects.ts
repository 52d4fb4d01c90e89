import { keysOf, type Stored } from "#worker/files/pictures/picture.ts";
import type { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Where a file stands in R2, and its upload while that is open. */
export type Place = Pick<typeof files.$inferSelect, "key" | "uploadId">;

/** R2's code for an upload that was completed or aborted before. */
const NO_SUCH_UPLOAD = "(10024)";

/**
 * Ends what stands open in R2 for a file; twice is once. It comes before its row goes: an open upload is no object, so
 * that without the row nothing would find it again.
 */
export async function abortUpload({ media }: Context, { key, uploadId }: Place) {
  if (!uploadId) return;
  try {
    await media.resumeMultipartUpload(key, uploadId).abort();
  } catch (error) {
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
  }
}

/** What R2 deletes at once. */
const KEYS_A_DELETE = 1000;

/** Removes the objects of files whose rows are gone: what a crash leaves of them, the daily sweep finds. */
export async function removeObjects({ media }: Context, removed: Stored[]) {
  const keys = removed.flatMap(keysOf);
  for (let at = 0; at < keys.length; at += KEYS_A_DELETE) {
    await media.delete(keys.slice(at, at + KEYS_A_DELETE));
  }
}
