import type { DatabaseSync } from "node:sqlite";

/** A row of a table: these values, and something empty for every other column that wants one. */
export function insertRow(db: DatabaseSync, table: string, values: Record<string, string | number>) {
  const columns = db.prepare(`pragma table_info(${table})`).all() as {
    name: string;
    type: string;
    notnull: number;
    pk: number;
  }[];
  const row = columns.flatMap(({ name, type, notnull, pk }) => {
    if (name in values) return [[name, values[name]!] as const];
    return notnull && !pk ? [[name, type === "text" ? "[]" : 0] as const] : [];
  });
  db.prepare(
    `insert into ${table} (${row.map(([name]) => name).join()}) values (${row.map(() => "?").join()})`,
  ).run(...row.map(([, value]) => value));
}
