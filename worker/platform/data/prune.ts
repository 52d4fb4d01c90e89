import type { Context } from "#worker/platform/context.ts";

/** Rows per statement: D1 aborts a statement after 30 seconds. */
const BATCH = 2500;
/** Batches per run: more rows than the largest import adds, and below the 50 statements of the free plan's invocation. */
const BATCHES = 45;

/** Deletes at most `limit` rows in one statement. */
type DeleteSome = (limit: number) => PromiseLike<{ meta: { changes: number } }>;

/** Deletes in batches, up to 112,500 rows; the next run continues with the rest. */
export async function deleteInBatches(deleteSome: DeleteSome) {
  for (let batch = 0; batch < BATCHES; batch++) {
    const { meta } = await deleteSome(BATCH);
    if (meta.changes < BATCH) return;
  }
}

/** Objects per R2 list call, and calls per run. */
const PAGE = 1000;
const PAGES_A_RUN = 10;

/** Deletes objects of R2 under a prefix that were last written before so many milliseconds, at most 10,000 a run. */
export async function deleteOldObjects({ media, now }: Context, prefix: string, keepFor: number) {
  const before = now.getTime() - keepFor;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_A_RUN; page++) {
    const listed = await media.list({ prefix, limit: PAGE, cursor });
    const old = listed.objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
    if (old.length > 0) await media.delete(old);
    if (!listed.truncated) return;
    cursor = listed.cursor;
  }
}
