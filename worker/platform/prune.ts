/** Rows that one statement deletes: D1 ends one that takes longer than 30 seconds. */
const BATCH = 2000;
/** Batches of a run: more rows than the largest import brings, far below the 1,000 statements of an invocation. */
const BATCHES = 60;

/** Deletes at most so many rows in one statement. */
type DeleteSome = (limit: number) => PromiseLike<{ meta: { changes: number } }>;

/** Deletes batch by batch what is to go, up to 120,000 rows; the next run goes on with what is left. */
export async function deleteInBatches(deleteSome: DeleteSome) {
  for (let batch = 0; batch < BATCHES; batch++) {
    const { meta } = await deleteSome(BATCH);
    if (meta.changes < BATCH) return;
  }
}
