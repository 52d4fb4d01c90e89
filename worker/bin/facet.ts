import { getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { BinKind } from "#worker/bin/contract.ts";
import type { Statement } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";

/** How items of a noun are deleted into the bin, and restored. */
export type BinFacet = {
  kind: BinKind;
  /** The item's row, and then the rows that belong to it, in the order in which they are restored. */
  parts: readonly BinPart[];
  /**
   * The statement that records what these items leave behind; `items` selects their ids as `item`. It is the first of the
   * batch that deletes them for good, and `finish` is called once they are.
   */
  release?: (ctx: Context, items: SQL) => { statement: Statement; finish: () => Promise<void> };
  /** The columns whose values no other item gets while the item is in the bin. */
  reserved?: readonly ReservedColumn[];
};

export type BinPart = {
  table: SQLiteTable;
  /** Its `binnedTable`. */
  binned: SQLiteTable;
  /** SQL: the rows of an item, by its id. */
  of: (item: string) => SQL;
  /** The rows are in a table without a foreign key to the item, so they are deleted apart from it. */
  isApart?: boolean;
  /** The columns that are restored with other values than those of the row in the bin. */
  restored?: (binned: Columns) => Record<string, SQL>;
  /** SQL: which rows are restored. Default: all. */
  restoredIf?: (binned: Columns) => SQL;
  /** How a row is restored whose key another one has got since. Default: the restore fails. */
  onTaken?: "keep the other" | { target: SQLiteColumn; set: Record<string, SQL> };
  /** The statements that expire the cached answers that show restored rows. */
  changed?: (ctx: Context, item: string) => readonly Statement[];
};

type Columns = Record<string, SQL>;

export type ReservedColumn = "slug" | "guid";

/** Refuses a value that belongs to an item in the bin; `binSchema` raises it in the database. */
export const reservedError = (table: string, column: string) => `in the bin: ${table}.${column}`;

/**
 * The triggers that reserve the values of items in the bin. Migrations hold a copy, which test/bin.test.ts compares. They
 * cover every write, also two that are concurrent.
 */
export const binSchema = (facets: readonly BinFacet[]) =>
  facets.flatMap(({ parts, reserved = [] }) => {
    const { table, binned } = parts[0]!;
    return reserved.flatMap((each) => triggersOf(getTableName(table), getTableName(binned), each));
  });

function triggersOf(table: string, binned: string, column: ReservedColumn) {
  const name = `bin_${table}_${column}`;
  const isReserved = `EXISTS (SELECT 1 FROM ${binned} WHERE ${column} = new.${column} AND id <> new.id)`;
  const refuse = `BEGIN\n\tSELECT RAISE(ABORT, '${reservedError(table, column)}');\nEND`;
  return [
    `CREATE TRIGGER ${name}_insert BEFORE INSERT ON ${table} WHEN ${isReserved} ${refuse}`,
    `CREATE TRIGGER ${name}_update BEFORE UPDATE OF ${column} ON ${table} WHEN new.${column} IS NOT old.${column} AND ${isReserved} ${refuse}`,
  ];
}

/** SQL: the columns of a table as values, by their names in its type. */
export const columnsOf = (table: SQLiteTable) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [key, sql`${column}`]),
  ) as Columns;
