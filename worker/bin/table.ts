import { getTableColumns, getTableName, type Column } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
  type SQLiteColumn,
  type SQLiteColumnBuilderBase,
  type SQLiteTable,
} from "drizzle-orm/sqlite-core";
import type { BinKind } from "#worker/bin/contract.ts";

/** The deleted items that can be restored. Their rows are in the tables of `binnedTable`. */
export const bin = sqliteTable(
  "bin",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Its kind and id: `article:5`. */
    key: text("key").notNull(),
    kind: text("kind").$type<BinKind>().notNull(),
    title: text("title").notNull(),
    deletedAt: integer("deleted_at", { mode: "timestamp_ms" }).notNull(),
    /** The user's name at that time; null for a job. */
    deletedBy: text("deleted_by"),
    /** The files of the item and of its versions, by id: they are protected from deletion. */
    fileIds: text("file_ids", { mode: "json" }).$type<string[]>().notNull(),
    /** `RENDERER_VERSION` when it was deleted. */
    renderer: integer("renderer").notNull(),
  },
  (table) => [uniqueIndex("bin_key").on(table.key), index("bin_by_age").on(table.deletedAt)],
);

/**
 * The table for the rows of another one that belong to items in the bin: the same columns, without constraints. Its
 * migrations are generated with those of the other. `found`: columns by which rows are looked up.
 */
export function binnedTable<Found extends string = never>(table: SQLiteTable, found: Found[] = []) {
  const name = `binned_${getTableName(table)}`;
  const binId = integer("bin_id")
    .notNull()
    .references(() => bin.id, { onDelete: "cascade" });
  const columns = Object.fromEntries(storedColumnsOf(table).map(([key, column]) => [key, plain(column)]));
  const binned = sqliteTable(name, { binId, ...columns }, (own) => [
    index(`${name}_by_bin`).on(own.binId),
    ...found.map((key) => {
      const column = Reflect.get(own, key) as typeof own.binId;
      return index(`${name}_by_${column.name}`).on(column);
    }),
  ]);
  return binned as typeof binned & Record<Found, SQLiteColumn>;
}

/** The columns that are not computed from others. */
export const storedColumnsOf = (table: SQLiteTable) =>
  Object.entries(getTableColumns(table)).filter(([, { generated }]) => generated === undefined);

const types: Record<string, (name: string) => SQLiteColumnBuilderBase> = { integer, real, text };

const plain = (column: Column) => types[column.getSQLType()]!(column.name);

/**
 * What was deleted for good or for a person, by kind and id: a copy of the site that is restored must not bring it
 * back. Contains no personal data.
 */
export const erased = sqliteTable(
  "erased",
  {
    /** The table of its row. */
    kind: text("kind").notNull(),
    item: text("item").notNull(),
    erasedAt: integer("erased_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.item] })],
);
