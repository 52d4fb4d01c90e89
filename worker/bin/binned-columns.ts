import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { storedColumnsOf } from "#worker/bin/table.ts";

/** The columns of a `binnedTable` for a select, read as those of the table whose rows it has. */
export const readAs = <Table extends SQLiteTable>(table: Table, binned: SQLiteTable) =>
  Object.fromEntries(
    storedColumnsOf(table).map(([name, column]) => [name, sql`${Reflect.get(binned, name)}`.mapWith(column)]),
  ) as unknown as Table["_"]["columns"];
