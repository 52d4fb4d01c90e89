import { sql, type SQL } from "drizzle-orm";
import { readAs } from "#worker/bin/binned-columns.ts";
import type { BinFacet } from "#worker/bin/facet.ts";
import { removeObjects } from "#worker/files/objects.ts";
import { storedColumns, type Stored } from "#worker/files/pictures/picture.ts";
import { binnedFilePeaks, binnedFiles, filePeaks, files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** What R2 holds of files in the bin; `ids` selects or lists their ids. */
export async function findStoredInBin({ db }: Pick<Context, "db">, ids: SQL): Promise<Stored[]> {
  return db
    .select(storedColumns(readAs(files, binnedFiles) as typeof files))
    .from(binnedFiles)
    .where(sql`${binnedFiles.id} in (${ids})`);
}

export const fileBin: BinFacet = {
  kind: "file",
  parts: [
    {
      table: files,
      binned: binnedFiles,
      of: (item) => sql`${files.id} = ${item}`,
      // A trigger gives it the next number: another file may have its former one.
      restored: () => ({ number: sql`null`, unusedAt: sql`null` }),
    },
    { table: filePeaks, binned: binnedFilePeaks, of: (item) => sql`${filePeaks.id} = ${item}` },
  ],
  /** Deletes the objects in R2. After a crash, the daily sweep finds the rest. */
  async release(ctx, items) {
    const stored = await findStoredInBin(ctx, items);
    return () => removeObjects(ctx, stored);
  },
};
