import { asc, getTableColumns, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { keyOfFile } from "#worker/files/library/joins.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { Noun } from "#worker/nouns/noun.ts";
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

type RowOf<Table extends SQLiteTable> = Table["$inferSelect"] & { id: number };
/** With what `select` adds to it. */
type Selected<Table extends SQLiteTable> = RowOf<Table> & Record<string, unknown>;
type ColumnOf<Table extends SQLiteTable> = keyof Table["$inferSelect"] & string;

/** A noun's part of the export. Without one, only a backup has it. */
export type ExportFacet<Table extends SQLiteTable> = ListExport<Table> | ItemsExport<Table> | Exporter;

interface ExportedColumns<Table extends SQLiteTable> {
  /** Columns that are not in the export, besides `INTERNAL`. */
  omit?: readonly ColumnOf<Table>[];
  /** The path of the item's page. */
  pathOf?(row: RowOf<Table>): string;
  /** The item's JSON, if not the whole row; `name` is that of its file. */
  item?(row: Selected<Table>, name: string): object;
  /** SQL of further values. */
  select?: Record<string, SQL>;
  /** Other long values than the noun's own text, which limit the size of a slice. */
  long?: readonly (ColumnOf<Table> | SQL)[];
}

/** A table as one JSON list, by default in the order of its ids. */
export interface ListExport<Table extends SQLiteTable> extends ExportedColumns<Table> {
  list: string;
  /** Another order; the whole table is then read in one statement. */
  order?: readonly SQL[];
}

/** Each item as Markdown with front matter, and as JSON. */
export interface ItemsExport<Table extends SQLiteTable> extends ExportedColumns<Table> {
  folder: string;
  /** The front matter. `row` also has `address`, and the address of each of its files. */
  facts(row: Selected<Table>, name: string): Record<string, unknown>;
  /** Further files of an item. */
  beside?(row: Selected<Table>, name: string): ExportedFile[];
  /** Further files of the folder. */
  after?: Exporter;
}

/** Draft keys and derived columns. */
const INTERNAL = ["draftKey", "embeddedFileIds", "contentText"];

/** The exporter of a noun; null if it is in a backup only. */
export function exporterOf(noun: Noun): Exporter | null {
  const { exported } = noun;
  if (!exported || typeof exported === "function") return exported ?? null;
  return (ctx) => ("folder" in exported ? itemsOf(ctx, noun, exported) : [listOf(ctx, noun, exported)]);
}

function listOf(ctx: Context, noun: Noun, facet: ListExport<SQLiteTable>): ExportedFile {
  const rows = facet.order ? inOrder(ctx, noun, facet.order, facet) : rowsInSlices(ctx, noun, facet);
  return jsonList(
    facet.list,
    mapped(rows, (row) => facet.item?.(row, facet.list) ?? row),
  );
}

async function* itemsOf(ctx: Context, noun: Noun, facet: ItemsExport<SQLiteTable>) {
  for await (const { id, ...rest } of rowsInSlices(ctx, noun, facet)) {
    const row: Selected<SQLiteTable> = { id, ...rest };
    const name = await nameOf({ id, title: String(row[noun.title!]) });
    yield* itemFiles(
      `${facet.folder}/${name}`,
      facet.facts(row, name),
      String(row[noun.text!.column]),
      facet.item?.(row, name) ?? row,
    );
    yield* facet.beside?.(row, name) ?? [];
  }
  if (facet.after) yield* facet.after(ctx);
}

async function* mapped<From, To>(rows: AsyncIterable<From>, map: (row: From) => To) {
  for await (const row of rows) yield map(row);
}

function rowsInSlices(ctx: Context, noun: Noun, facet: ExportedColumns<SQLiteTable>) {
  const columns = getTableColumns(noun.table);
  const id = columns.id!;
  const markdown = noun.text ? [noun.text.column, `${noun.text.column}Html`] : [];
  const texts = [...markdown, ...(facet.long ?? [])].map((text) =>
    typeof text === "string" ? columns[text]! : text,
  );
  const rows = rowsOf((after) =>
    selectRows(ctx, noun, facet)
      .where(isNextSlice(id, after, ...texts))
      .orderBy(asc(id)),
  );
  return mapped(rows, (row) => withAddresses(ctx, noun, facet, row));
}

async function* inOrder(
  ctx: Context,
  noun: Noun,
  order: readonly SQL[],
  facet: ExportedColumns<SQLiteTable>,
) {
  for (const row of await selectRows(ctx, noun, facet).orderBy(...order))
    yield withAddresses(ctx, noun, facet, row);
}

const KEY = "KeyOfFile";

function selectRows(
  { db }: Context,
  { table, files }: Noun,
  { omit = [], select }: ExportedColumns<SQLiteTable>,
) {
  const columns = getTableColumns(table);
  const kept = Object.entries(columns).filter(([name]) => ![...INTERNAL, ...omit].includes(name));
  const keys = (files?.columns ?? []).map((name) => [name + KEY, keyOfFile(columns[name]!)] as const);
  return db
    .select({ ...Object.fromEntries(kept), ...select, ...Object.fromEntries(keys) })
    .from(table)
    .$dynamic() as unknown as Selection;
}

type Selection = PromiseLike<Selected<SQLiteTable>[]> & {
  where: (condition: SQL) => Selection;
  orderBy: (...order: SQL[]) => Selection;
};

/** With the address of its page, and of each file by the column's name: `imageFileId` becomes `image`. */
function withAddresses(
  { config: { siteUrl } }: Context,
  { files }: Noun,
  { pathOf }: ExportedColumns<SQLiteTable>,
  row: Selected<SQLiteTable>,
): Selected<SQLiteTable> {
  const names = files?.columns ?? [];
  const own = Object.entries(row).filter(([name]) => !name.endsWith(KEY));
  const keys = names.map((name) => {
    const key = row[name + KEY] as string | null;
    return [name.replace("FileId", ""), key && siteUrl + mediaUrl(key)] as const;
  });
  return {
    ...Object.fromEntries(own),
    ...(pathOf && { address: siteUrl + pathOf(row) }),
    ...Object.fromEntries(keys),
  } as Selected<SQLiteTable>;
}

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
