import { sql } from "drizzle-orm";
import type { BinFacet } from "#worker/bin/facet.ts";
import { deleteObjects, deleteObjectsInBin } from "#worker/files/objects.ts";
import { binnedFilePeaks, binnedFiles, filePeaks, files } from "#worker/files/table.ts";

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
  release(ctx, items) {
    const { id, statement } = deleteObjectsInBin(ctx, items);
    return { statement, finish: () => deleteObjects(ctx, id) };
  },
};
