import type { Context } from "#worker/platform/context.ts";
import { deleteOldObjects } from "#worker/platform/data/prune.ts";

/** The pieces of an archive wait in R2 until the restore has ended. Nothing there is served. */
const STAGING = "restoring/";
const DAY = 86_400_000;
/** An import that was never started is deleted after as many days. */
const KEEP_MS = 14 * DAY;
const PAGE = 1000;

export const stagedKey = (restoreId: number, number: number) =>
  `${STAGING}${restoreId}/${String(number).padStart(7, "0")}`;

/** What was erased in the site before the restore (`erased-since.ts`). */
export const erasedKey = (restoreId: number) => `${STAGING}${restoreId}/erased`;

/** Deletes the pieces of a restore. */
export async function deleteStaged({ media }: Context, restoreId: number) {
  for (;;) {
    const { objects, truncated } = await media.list({ prefix: `${STAGING}${restoreId}/`, limit: PAGE });
    if (objects.length > 0) await media.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/** Daily: deletes pieces of restores that were left. */
export const pruneStaged = (ctx: Context) => deleteOldObjects(ctx, STAGING, KEEP_MS);
