import { and, isNotNull, notInArray, sql, type AnyColumn } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { files } from "#worker/files/table.ts";

/** Every column, in whatever noun, that holds the id of a file: `[episodes.audioFileId, …]`. */
export type FileReferences = readonly AnyColumn[];

/** True of a file that no such column names, and that is not the picture found inside another file. */
export function isUnused(references: FileReferences) {
  return and(...[...references, files.artworkFileId].map(isNotIn));
}

const isNotIn = (column: AnyColumn) =>
  notInArray(
    files.id,
    new QueryBuilder()
      .select({ id: sql<string>`${column}` })
      .from(column.table)
      .where(isNotNull(column)),
  );
