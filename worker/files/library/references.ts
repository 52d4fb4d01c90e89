import {
  and,
  getTableColumns,
  isNotNull,
  notInArray,
  sql,
  type AnyColumn,
  type SQL,
  type SQLWrapper,
} from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import type { Capability } from "#worker/access/contract.ts";
import type { FileUseKind } from "#worker/files/contract.ts";
import { files, fileUses } from "#worker/files/table.ts";
import type { Noun } from "#worker/nouns/noun.ts";

/** A table whose rows use files, in columns with the id of one and in a column with a JSON list of them. */
export interface FileOwner {
  kind: FileUseKind;
  /** What an item is known by: its id or slug. */
  id: AnyColumn;
  /** The item's name; absent if its kind or id is enough. */
  title?: AnyColumn;
  /** The capability for opening an item, if `edit` is not enough. */
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

/** The columns of all nouns that protect a file from deletion. */
export const referencesOf = (
  nouns: readonly Noun[],
  versions: FileReferences["versions"],
): FileReferences => ({ owners: nouns.flatMap(ownersOf), versions });

function ownersOf({ table, title, files: facet, text }: Noun): FileOwner[] {
  if (!facet) return [];
  const columns = getTableColumns(table);
  const { kind, key = "id", columns: names = [], lists = [], capabilityOf } = facet;
  return [
    {
      kind,
      id: columns[key]!,
      ...(title !== undefined && { title: columns[title]! }),
      ...(capabilityOf && { capabilityOf }),
      one: names.map((name) => columns[name]!),
      lists: [...(text ? ["embeddedFileIds"] : []), ...lists].map((name) => columns[name]!),
    },
  ];
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

/** SQL: the ids of a kind of item that use a file now. */
export const usedBy = (kind: FileUseKind, fileId: string) => sql`(
  select cast(${fileUses.item} as integer) from ${fileUses}
  where ${fileUses.fileId} = ${fileId} and ${fileUses.kind} = ${kind} and ${fileUses.version} = 0)`;

/**
 * SQL: whether any item uses a file now; a former version and an item in the bin do not count. `counts`: SQL for which of
 * the others do, by kind and numeric id.
 */
export const isInUse = (
  fileId: AnyColumn,
  counts: (kind: SQLWrapper, item: SQLWrapper) => SQL = () => sql`true`,
) => sql`exists (
  select 1 from ${fileUses} where ${fileUses.fileId} = ${fileId} and ${fileUses.version} = 0 and ${fileUses.kind} <> 'bin'
    and ${counts(fileUses.kind, sql`cast(${fileUses.item} as integer)`)})`;

/** SQL, in a select from a noun's table: the ids of the files of an item and of its versions, as a JSON list. */
export function filesOf(noun: Noun, item: string) {
  const [owner] = ownersOf(noun);
  if (!owner) return sql`'[]'`;
  const { kind, one, lists } = owner;
  const added = one.map((column) => sql`, '$[#]', ${column}`);
  const own = sql`json_insert(${lists[0] ?? sql`'[]'`}${sql.join(added)})`;
  return sql`(select json_group_array(value) from (
    select value from json_each(${own}) where value <> ''
    union select ${fileUses.fileId} from ${fileUses} where ${fileUses.kind} = ${kind} and ${fileUses.item} = ${item}))`;
}

/** SQL: a row if there is no such file, also none that is uploaded. */
export const selectMissing = (fileId: SQLWrapper) =>
  sql`select 1 as one where not exists (select 1 from ${files} where ${files.id} = ${fileId})`;

/**
 * SQL: rows if only items in the bin use a file, and their keys fulfil a condition. A file of the library that is kept when
 * unused is served without a use.
 */
export const selectUsesByBinAlone = (fileId: SQLWrapper, fulfils: (key: SQLWrapper) => SQL) => sql`
  select 1 as one from ${fileUses}
  where ${fileUses.fileId} = ${fileId} and ${fileUses.kind} = 'bin' and ${fulfils(fileUses.item)}
    and not exists (select 1 from ${fileUses} as other
      where other.file_id = ${fileId} and other.version = 0 and other.kind <> 'bin')
    and not exists (select 1 from ${files} where ${files.id} = ${fileId} and ${files.keptAt} is not null)`;
