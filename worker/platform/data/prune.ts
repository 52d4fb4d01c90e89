/** Rows per statement: D1 aborts a statement after 30 seconds. */
const BATCH = 2000;
/** Batches per run: more rows than the largest import adds, and far below the 1,000 statements of an invocation. */
const BATCHES = 60;

/** Deletes at most `limit` rows in one statement. */
type DeleteSome = (limit: number) => PromiseLike<{ meta: { changes: number } }>;

/** Deletes in batches, up to 120,000 rows; the next run continues with the rest. */
export async function deleteInBatches(deleteSome: DeleteSome) {
  for (let batch = 0; batch < BATCHES; batch++) {
    const { meta } = await deleteSome(BATCH);
    if (meta.changes < BATCH) return;
  }
}
