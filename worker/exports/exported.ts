import { asc, getTableColumns, sql, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import { slugOf } from "#worker/platform/text/slug.ts";

/** A file of the export, its text piece by piece. */
export type ExportedFile = { path: string; text: Iterable<string> | AsyncIterable<string> };

/** A noun's files in the export, in reading order. */
export type Exporter = (ctx: Context) => AsyncIterable<ExportedFile> | Iterable<ExportedFile>;

/** Maximum bytes of texts, and rows, in memory at a time. */
const SLICE_BYTES = 2_000_000;
const SLICE_ROWS = 500;

/**
 * SQL: whether a row is in the next slice after `after`: at least one row, in order of ids. `texts` are the long
 * columns.
 */
export function isNextSlice(id: SQLiteColumn, after: number, ...texts: SQLWrapper[]) {
  const bytes = sql.join([sql`0`, ...texts.map((text) => sql`octet_length(${text})`)], sql` + `);
  return sql`${id} in (
    select place from (
      select place, sum(bytes) over (order by place) - bytes as before from (
        select ${id} as place, ${bytes} as bytes from ${id.table}
        where ${id} > ${after} order by ${id} limit ${SLICE_ROWS}
      )
    ) where before < ${SLICE_BYTES}
  )`;
}

/** All rows, slice by slice. */
export async function* rowsOf<Row extends { id: number }>(read: (after: number) => PromiseLike<Row[]>) {
  for (let after = 0; ;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

type Internal = "draftKey" | "embeddedFileIds" | "contentText";
const INTERNAL: string[] = ["draftKey", "embeddedFileIds", "contentText"] satisfies Internal[];

/** A table's columns without draft keys and derived columns. */
export function exportedColumns<Table extends SQLiteTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !INTERNAL.includes(name));
  return Object.fromEntries(columns) as Omit<Table["_"]["columns"], Internal>;
}

/** A table as one list, in the order of its ids. */
export const tableList =
  (path: string, table: SQLiteTable & { id: SQLiteColumn }): Exporter =>
  ({ db }) => {
    const columns = { ...exportedColumns(table), id: sql<number>`${table.id}` };
    const rows = rowsOf((after) =>
      db.select(columns).from(table).where(isNextSlice(table.id, after)).orderBy(asc(table.id)),
    );
    return [jsonList(path, rows)];
  };

/** A list as one JSON array, a row a line. */
export const jsonList = (path: string, rows: AsyncIterable<unknown> | Iterable<unknown>): ExportedFile => ({
  path,
  text: linesOf(rows),
});

async function* linesOf(rows: AsyncIterable<unknown> | Iterable<unknown>) {
  let separator = "[\n";
  for await (const row of rows) {
    yield separator + JSON.stringify(row);
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

export const jsonFile = (path: string, data: unknown): ExportedFile => ({
  path,
  text: [`${JSON.stringify(data, null, 2)}\n`],
});

/** An item as Markdown with front matter, and as JSON. `path` is that of both, without extension. */
export const itemFiles = (path: string, facts: Record<string, unknown>, text: string, item: unknown) => [
  markdownFile(`${path}.md`, facts, text),
  jsonFile(`${path}.json`, item),
];

/** The name of an item's files, without extension. The id distinguishes items with the same title. */
export const nameOf = async ({ id, title }: { id: number; title: string }) =>
  [id, await slugOf(title)].filter(Boolean).join("-");

/** Markdown with YAML front matter, as site generators read it. Omits unknown values. */
export function markdownFile(path: string, facts: Record<string, unknown>, text: string): ExportedFile {
  const known = Object.entries(facts).filter(
    ([, fact]) => fact !== null && fact !== "" && fact !== undefined,
  );
  const matter = known.map(([name, fact]) => `${name}: ${inYaml(fact)}\n`);
  return { path, text: ["---\n", ...matter, "---\n\n", text.trimEnd(), "\n"] };
}

/** JSON is valid YAML 1.2, except for times and invisible characters. */
function inYaml(fact: unknown) {
  if (fact instanceof Date) return fact.toISOString();
  return JSON.stringify(fact).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
