import { sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";

export type Row = Record<string, string | number | null>;
/** Runs these reads and returns the rows of each. */
export type Ask = (reads: string[]) => Promise<Row[][]>;

/** `isRequired`: an insertion must give a value. */
export type Column = { name: string; type: string; isRequired: boolean };
/** `isOwned`: the row is deleted with the one that it refers to; otherwise the column becomes null. */
export type Reference = { column: string; table: string; to: string; isOwned: boolean };
/** `sql` creates it; `key` has the columns of its primary key, in their order. */
export type Table = { name: string; sql: string; columns: Column[]; key: string[]; references: Reference[] };

/** Reads from the context's database. */
export const askOf =
  ({ db }: Pick<Context, "db">): Ask =>
  async (reads) => {
    const answers = [];
    for (const read of reads) answers.push(await db.all<Row>(sql.raw(read)));
    return answers;
  };

/**
 * The tables of a database in the order in which they were created, and its indexes, triggers and views. Without the tables
 * of SQLite, of D1 and of full-text indexes, and without generated columns. Two statements.
 */
export async function readSchema(ask: Ask) {
  const [schema = []] = await ask([
    "select name, type, sql from sqlite_schema where sql is not null order by rowid",
  ]);
  const virtual = schema.filter(isVirtual).map(({ name }) => String(name));
  const isOfVirtual = (row: Row) =>
    virtual.some((index) => String(row["sql"]).startsWith(`CREATE TABLE '${index}_`));
  const plain = schema.filter((row) => !isVirtual(row) && !isOfVirtual(row) && !isOfPlatform(row));
  const tables = plain.filter(({ type }) => type === "table");
  const [parts = []] = await ask([readParts(tables.map(({ name }) => String(name)))]);
  const partsOf = Map.groupBy(parts, (part) => String(part["in"]));
  return {
    tables: tables.map((table) => tableOf(table, partsOf.get(String(table["name"])) ?? [])),
    others: plain.filter(({ type }) => type !== "table"),
  };
}

/** One of these tables; undefined if there is none with this name. Two statements, which read little of a large schema. */
export async function readTable(ask: Ask, name: string): Promise<Table | undefined> {
  const quoted = `'${name.replaceAll("'", "''")}'`;
  const [[found] = []] = await ask([
    `select name, sql from sqlite_schema where type = 'table' and name = ${quoted}`,
  ]);
  // SQLite writes the names of a full-text index's own tables so.
  if (!found || isVirtual(found) || /^create table '/i.test(String(found["sql"])) || isOfPlatform(found))
    return undefined;
  const [parts = []] = await ask([readParts([name])]);
  return tableOf(found, parts);
}

const isVirtual = ({ sql: create }: Row) => /^create virtual/i.test(String(create));
const isOfPlatform = ({ name }: Row) => /^(?:sqlite|_cf)_/i.test(String(name));

/** One statement for the columns and references of these tables. D1 refuses a pragma of its own tables, which are not named. */
function readParts(names: string[]) {
  const named = `json_each('${JSON.stringify(names).replaceAll("'", "''")}') as named`;
  return `select named.value as "in", 'column' as part, info.cid as place, info.name as name, info.type as type,
      info."notnull" as required, info.dflt_value as fallback, info.pk as pk, null as "table", null as "to", null as rule
    from ${named} join pragma_table_info(named.value) as info
    union all
    select named.value, 'reference', key.id, key."from", null, null, null, null, key."table", key."to", key.on_delete
    from ${named} join pragma_foreign_key_list(named.value) as key
    order by part, place`;
}

function tableOf({ name, sql: create }: Row, parts: Row[]): Table {
  const columns = parts.filter(({ part }) => part === "column");
  return {
    name: String(name),
    sql: String(create),
    columns: columns.map((column) => ({
      name: String(column["name"]),
      type: String(column["type"]),
      isRequired: Number(column["required"]) === 1 && column["fallback"] === null,
    })),
    key: columns
      .filter(({ pk }) => Number(pk) > 0)
      .toSorted((one, other) => Number(one["pk"]) - Number(other["pk"]))
      .map((column) => String(column["name"])),
    references: parts
      .filter(({ part }) => part === "reference")
      .map((reference) => ({
        column: String(reference["name"]),
        table: String(reference["table"]),
        to: String(reference["to"]),
        isOwned: reference["rule"] === "CASCADE",
      })),
  };
}
