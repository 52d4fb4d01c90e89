import type { Context } from "#worker/platform/context.ts";
import { deleteOldObjects } from "#worker/platform/data/prune.ts";

/** The pieces of an archive wait in R2 until the restore has ended. Nothing there is served. */
const PIECES = "restoring/pieces/";
const DAY = 86_400_000;
/** An import that was never started is deleted after as many days. */
const KEEP_MS = 14 * DAY;
const PAGE = 1000;

export const stagedKey = (restoreId: number, number: number) =>
  `${PIECES}${restoreId}/${String(number).padStart(7, "0")}`;

/** What was erased in this site before it was restored (`erased-since.ts`): stored until a restore has finished. */
export const ERASED_KEY = "restoring/erased";

/**
 * Marks the bucket while a restore has written some rows and not all: their files may be in use by rows that are missing. In
 * the bucket, so that it is known to a new database, too.
 */
const HALF_KEY = "restoring/half";
/** For how long after a restore was cancelled its files stay. */
const HALF_MS = 30 * DAY;

export const markHalfRestored = ({ media }: Context) => media.put(HALF_KEY, "");

/** Once a restore has finished: from then on, the site has what is stored there itself. */
export const forgetStored = ({ media }: Context) => media.delete([ERASED_KEY, HALF_KEY]);

export async function isHalfRestored({ media, now }: Context) {
  const mark = await media.head(HALF_KEY);
  return mark !== null && now.getTime() - mark.uploaded.getTime() < HALF_MS;
}

/** Deletes the pieces of a restore. */
export async function deleteStaged({ media }: Context, restoreId: number) {
  for (;;) {
    const { objects, truncated } = await media.list({ prefix: `${PIECES}${restoreId}/`, limit: PAGE });
    if (objects.length > 0) await media.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/** The ids of the restores that have pieces, a page of them at most. */
export async function listStaged({ media }: Context) {
  const { delimitedPrefixes } = await media.list({ prefix: PIECES, delimiter: "/", limit: PAGE });
  return delimitedPrefixes.map((prefix) => Number(prefix.slice(PIECES.length, -1)));
}

export const deleteOldStaged = (ctx: Context) => deleteOldObjects(ctx, PIECES, KEEP_MS);
