import { sql } from "drizzle-orm";
import { COLUMNS_LEFT_OUT, LEFT_OUT } from "#worker/exports/left-out.ts";
import type { Context } from "#worker/platform/context.ts";

export type Column = { name: string; isText: boolean; isRequired: boolean };
/** `isOwned`: the row is deleted with the one that it refers to; otherwise the column becomes null. */
export type Reference = { column: string; table: string; to: string; isOwned: boolean };
export type Table = { name: string; columns: Column[]; key: string[]; references: Reference[] };

/** Tables that triggers write to when a row is inserted into another one: they come first. */
const WRITTEN_FIRST: Record<string, readonly string[]> = {
  playlists: ["listeners"],
  favorites: ["listeners"],
  progress: ["listeners"],
};

type ColumnRow = {
  of: string;
  name: string;
  type: string;
  required: number;
  fallback: string | null;
  key: number;
};

/** As drizzle-kit writes it. D1 answers `pragma foreign_key_list` for one table at a time only. */
const REFERENCE =
  /FOREIGN KEY \(`(\w+)`\) REFERENCES `(\w+)`\(`(\w+)`\) ON UPDATE no action ON DELETE (cascade|set null)/gi;

/** The tables of an archive with their columns, each after those that its rows refer to. */
export async function readTables({ db }: Pick<Context, "db">): Promise<Table[]> {
  // D1 refuses a pragma of its own tables: they are left out before any is asked for.
  const listed = sql`with listed as materialized (
    select name, sql from sqlite_schema
    where type = 'table' and sql not like 'create virtual%' and name not like '\\_cf\\_%' escape '\\')`;
  const [columns, schema] = await Promise.all([
    // Without generated columns, which have 2 or 3.
    db.all<ColumnRow>(sql`${listed} select listed.name as "of", given.name as name, given.type as type,
        given."notnull" as required, given.dflt_value as fallback, given.pk as key
      from listed join pragma_table_xinfo(listed.name) as given
      where given.hidden = 0 order by listed.name, given.cid`),
    db.all<{ name: string; sql: string }>(sql`${listed} select name, sql from listed`),
  ]);
  const created = new Map(schema.map((table) => [table.name, table.sql]));
  const byName = Map.groupBy(columns, ({ of }) => of);
  const named = [...byName].filter(([name]) => isArchived(name));
  return inOrder(
    named.map(([name, own]) => ({
      name,
      columns: own
        .filter((column) => !COLUMNS_LEFT_OUT[name]?.includes(column.name))
        .map((column) => ({
          name: column.name,
          isText: /text/i.test(column.type),
          isRequired: column.required === 1 && column.fallback === null,
        })),
      key: own
        .filter(({ key }) => key > 0)
        .toSorted((one, other) => one.key - other.key)
        .map((column) => column.name),
      references: [...created.get(name)!.matchAll(REFERENCE)].map(([, column, table, to, rule]) => ({
        column: column!,
        table: table!,
        to: to!,
        isOwned: /cascade/i.test(rule!),
      })),
    })),
  );
}

/** Not those of SQLite, of D1, of Wrangler, and of the search index. */
const isArchived = (name: string) =>
  !/^(?:sqlite_|_cf_|d1_)/.test(name) &&
  !/_(?:data|idx|docsize|config|content)$/.test(name) &&
  !Object.hasOwn(LEFT_OUT, name);

function inOrder(tables: Table[]) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const add = (table: Table | undefined) => {
    if (!table || ordered.has(table)) return;
    const first = [
      ...table.references.map((reference) => reference.table),
      ...(WRITTEN_FIRST[table.name] ?? []),
    ];
    for (const name of first) if (name !== table.name) add(byName.get(name));
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

/** The name of the last migration of the database. */
export async function readMigration({ db }: Pick<Context, "db">) {
  const [last] = await db.all<{ name: string }>(sql`select name from d1_migrations order by id desc limit 1`);
  return last!.name;
}
