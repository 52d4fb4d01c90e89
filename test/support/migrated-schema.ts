import { DatabaseSync } from "node:sqlite";
// Types alone: the plugin imports Miniflare, which `vitest.config.ts` must do later.
import type { D1Migration } from "@cloudflare/vitest-plugin";

/**
 * One migration that creates the final schema, in a tenth of the time of all: each test file in workerd begins with it. The
 * demo and `test/node` apply the migrations themselves.
 */
export function migratedSchema(migrations: D1Migration[]): D1Migration {
  const database = new DatabaseSync(":memory:");
  for (const { queries } of migrations) for (const query of queries) database.exec(query);
  const queries = [...readSchema(database), ...readSearchOptions(database), ...readRows(database)];
  database.close();
  return { name: "all", queries };
}

/** Without what SQLite itself adds: shadow tables of a search, indexes of a constraint. */
function readSchema(database: DatabaseSync) {
  const rows = database.prepare(
    `select sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\'
     and name not in (select name from pragma_table_list where type = 'shadow')
     order by case type when 'table' then 1 when 'index' then 2 else 3 end, rowid`,
  );
  return rows.all().map(({ sql }) => String(sql));
}

/** The weights of a search's columns, for example, which a migration sets by an insert. */
function readSearchOptions(database: DatabaseSync) {
  const tables = database.prepare(
    "select name from sqlite_schema where type = 'table' and sql like 'create virtual table%using fts5(%'",
  );
  return tables.all().flatMap(({ name }) =>
    database
      .prepare(`select quote(k) as k, quote(v) as v from "${String(name)}_config" where k <> 'version'`)
      .all()
      .map(
        ({ k, v }) =>
          `insert into "${String(name)}" ("${String(name)}", rank) values (${String(k)}, ${String(v)})`,
      ),
  );
}

/** What migrations insert for every site. */
function readRows(database: DatabaseSync) {
  const tables = database.prepare(
    `select name, (select group_concat('quote("' || name || '")', ' || '','' || ') from pragma_table_info(tables.name)) as row
     from pragma_table_list as tables where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
  );
  return tables.all().flatMap(({ name, row }) =>
    database
      .prepare(`select ${String(row)} as row from "${String(name)}"`)
      .all()
      .map((found) => `insert into "${String(name)}" values (${String(found["row"])})`),
  );
}
