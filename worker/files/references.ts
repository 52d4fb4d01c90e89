import { and, isNotNull, notInArray, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import { files } from "#worker/files/table.ts";

/**
 * What holds on to files, in whatever noun: columns with the id of one, and columns with a JSON list of them.
 * `{ one: [episodes.audioFileId], lists: [episodes.embeddedFileIds] }`
 */
export interface FileReferences {
  one: readonly AnyColumn[];
  lists: readonly AnyColumn[];
}

/** True of a file that no such column names, and that is not the picture found inside another file. */
export function isUnused({ one, lists }: FileReferences) {
  return and(...[...one, files.artworkFileId].map(isNotIn), ...lists.map(isNotListed));
}

const isNotIn = (column: AnyColumn) =>
  notInArray(
    files.id,
    new QueryBuilder()
      .select({ id: sql<string>`${column}` })
      .from(column.table)
      .where(isNotNull(column)),
  );

const isNotListed = (column: AnyColumn): SQL =>
  sql`${files.id} not in (select value from ${column.table}, json_each(${column}))`;
