import { and, isNotNull, notInArray, sql, type AnyColumn } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { files } from "#worker/files/table.ts";

/** Every column, in whatever noun, that holds the id of a file: `[episodes.audioFileId, …]`. */
export type FileReferences = readonly AnyColumn[];

/** The files that neither one of these columns names, nor an audio file that they were found in. */
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
