import { getTableName } from "drizzle-orm";
import type { FileOwner, FileReferences } from "#worker/files/library/references.ts";

/**
 * What keeps `file_uses` as SQL statements: triggers on each table whose columns name files. Migrations hold a copy, which
 * test/file-uses.test.ts compares.
 *
 * - A trigger writes what changed alone, so that the automatic save of a text without new pictures costs nothing here.
 * - `files.is_used` is set from it, so that the list of files is filtered as it is searched, by `file_search`.
 * - A complete file gets its number, by which that list is ordered.
 */
export function usesSchema({ owners, versions }: FileReferences) {
  const sources = [...owners.map(sourceOf), versionsOf(versions)];
  return {
    fill: [...sources.map(fill), COUNT, NUMBER],
    triggers: [...sources.flatMap(triggersOf), ...fileTriggers],
  };
}

type Source = {
  table: string;
  /** The columns that name files. */
  columns: string[];
  /** SQL of a row's kind, item and version; `row` is `new`, `old` or the table. */
  keyOf: (row: string) => [kind: string, item: string, version: string];
  /** SQL of a JSON list of the ids of its files. */
  idsOf: (row: string) => string;
};

function sourceOf({ kind, id, one, lists }: FileOwner): Source {
  const singles = one.map(({ name }) => name);
  const [list, ...more] = lists.map(({ name }) => name);
  if (more.length > 0) throw new Error(`${kind}: one list of files a table`);
  const table = getTableName(id.table);
  return {
    table,
    columns: [...singles, ...(list ? [list] : [])],
    keyOf: (row) => [`'${kind}'`, `CAST(${row}.${id.name} AS TEXT)`, "0"],
    idsOf: (row) => {
      if (!list) return `json_array(${singles.map((name) => `${row}.${name}`).join(", ")})`;
      const added = singles.map((name) => `, '$[#]', ${row}.${name}`).join("");
      return added ? `json_insert(${row}.${list}${added})` : `${row}.${list}`;
    },
  };
}

const versionsOf = ({ id, kind, item, list }: FileReferences["versions"]): Source => ({
  table: getTableName(id.table),
  columns: [list.name],
  keyOf: (row) => [`${row}.${kind.name}`, `${row}.${item.name}`, `${row}.${id.name}`],
  idsOf: (row) => `${row}.${list.name}`,
});

const IDS = "value IS NOT NULL AND value <> ''";
const INSERT = "INSERT INTO file_uses (file_id, kind, item, version)";
/** Not OR IGNORE, which an upsert of the row would override. */
const ONCE = "ON CONFLICT DO NOTHING";

const fill = ({ table, keyOf, idsOf }: Source) =>
  `${INSERT}\n\tSELECT value, ${keyOf(table).join(", ")}\n\tFROM ${table}, json_each(${idsOf(table)}) WHERE ${IDS} ${ONCE}`;

const COUNT = "UPDATE files SET is_used = 1 WHERE id IN (SELECT file_id FROM file_uses)";
/** Those that were there before numbers were. */
const NUMBER = `UPDATE files SET number = ordered.number
	FROM (SELECT id, row_number() OVER (ORDER BY completed_at, id) AS number FROM files WHERE status = 'complete') AS ordered
	WHERE ordered.id = files.id`;

function triggersOf(source: Source) {
  const { table, columns, keyOf, idsOf } = source;
  const [kind, item, version] = keyOf("old");
  const remove = `DELETE FROM file_uses WHERE kind = ${kind} AND item = ${item} AND version = ${version}`;
  const add = `${INSERT}\n\tSELECT value, ${keyOf("new").join(", ")}\n\tFROM json_each(${idsOf("new")}) WHERE ${IDS} ${ONCE}`;
  const removeOthers = `${remove}\n\tAND file_id NOT IN (SELECT value FROM json_each(${idsOf("new")}) WHERE ${IDS})`;
  const isChanged = columns.map((name) => `old.${name} IS NOT new.${name}`).join(" OR ");
  return [
    trigger(`file_uses_${table}_insert`, `AFTER INSERT ON ${table}`, [add]),
    trigger(
      `file_uses_${table}_update`,
      `AFTER UPDATE OF ${columns.join(", ")} ON ${table} WHEN ${isChanged}`,
      [removeOthers, add],
    ),
    trigger(`file_uses_${table}_delete`, `AFTER DELETE ON ${table}`, [remove]),
  ];
}

/** A use may precede its file: an audio file names the picture that was found in it. */
const LIST = `UPDATE files SET number = (SELECT coalesce(max(number), 0) + 1 FROM files),
	is_used = EXISTS (SELECT 1 FROM file_uses WHERE file_id = new.id) WHERE id = new.id`;

const fileTriggers = [
  trigger("file_uses_insert", "AFTER INSERT ON file_uses", [
    "UPDATE files SET is_used = 1 WHERE id = new.file_id AND is_used = 0",
  ]),
  trigger("file_uses_delete", "AFTER DELETE ON file_uses", [
    `UPDATE files SET is_used = 0 WHERE id = old.file_id
	AND NOT EXISTS (SELECT 1 FROM file_uses WHERE file_id = old.file_id)`,
  ]),
  trigger("files_number_insert", "AFTER INSERT ON files WHEN new.status = 'complete'", [LIST]),
  trigger(
    "files_number_update",
    "AFTER UPDATE OF status ON files WHEN new.status = 'complete' AND new.number IS NULL",
    [LIST],
  ),
];

function trigger(name: string, event: string, statements: string[]) {
  return `CREATE TRIGGER ${name} ${event} BEGIN\n${statements.map((statement) => `\t${statement};\n`).join("")}END`;
}
