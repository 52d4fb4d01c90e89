import type { files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

type Stored = Pick<typeof files.$inferSelect, "key" | "uploadId">;

/** R2's code for an upload that was completed or aborted before. */
const NO_SUCH_UPLOAD = "(10024)";

/** Removes what files have in R2: open uploads and finished objects. Their rows are gone by then. */
export async function removeObjects({ media }: Context, removed: Stored[]) {
  for (const { key, uploadId } of removed) {
    if (uploadId) await abortUpload(media, key, uploadId);
  }
  if (removed.length > 0) await media.delete(removed.map(({ key }) => key));
}

async function abortUpload(media: R2Bucket, key: string, uploadId: string) {
  try {
    await media.resumeMultipartUpload(key, uploadId).abort();
  } catch (error) {
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
  }
}
