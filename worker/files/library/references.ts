import { and, isNotNull, notInArray, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import type { Capability } from "#worker/access/contract.ts";
import type { FileUseKind } from "#worker/files/contract.ts";
import { files } from "#worker/files/table.ts";

/** A table whose rows use files, in columns with the id of one and in a column with a JSON list of them. */
export interface FileOwner {
  kind: FileUseKind;
  /** What an item is known by: its id or slug. */
  id: AnyColumn;
  /** What its owner calls it; absent where its kind or its id says that. */
  title?: AnyColumn;
  /** What it takes to open an item, where `edit` is not enough. */
  capabilityOf?: (item: string) => Capability;
  one: readonly AnyColumn[];
  lists: readonly AnyColumn[];
}

/** What holds on to files, in whatever noun. */
export interface FileReferences {
  owners: readonly FileOwner[];
  /** Former versions of items, each with a JSON list of the files that it names. */
  versions: { id: AnyColumn; kind: AnyColumn; item: AnyColumn; list: AnyColumn };
}

/** True of a file that no such column names, and that is not the picture found inside another file. */
export function isUnused({ owners, versions }: FileReferences) {
  const lists = [...owners.flatMap((owner) => owner.lists), versions.list];
  return and(...owners.flatMap(({ one }) => one).map(isNotIn), ...lists.map(isNotListed));
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
