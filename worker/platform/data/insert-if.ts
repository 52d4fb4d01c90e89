import { getTableColumns, is, sql, SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";

/** The statement that inserts a row only if the condition is true in its batch. */
export function insertIf<Table extends SQLiteTable>(
  { db }: Context,
  table: Table,
  values: Table["$inferInsert"],
  condition: SQL,
) {
  const given = values as Record<string, unknown>;
  const columns = Object.entries(getTableColumns(table)) as [string, SQLiteColumn][];
  const row = columns.map(([name, column]) => valueOf(column, given[name] ?? column.default));
  return db.insert(table).select(sql`select ${sql.join(row, sql`, `)} where ${condition}`);
}

const valueOf = (column: SQLiteColumn, value: unknown) => {
  if (value === undefined || value === null) return sql`null`;
  return is(value, SQL) ? value : sql`${sql.param(value, column)}`;
};
