import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Manifest } from "#worker/exports/contract.ts";
import { ROWS } from "#worker/exports/left-out.ts";
import type { ExportedFile } from "#worker/exports/noun-export.ts";
import { ERASED } from "#worker/exports/tables.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Table } from "#worker/platform/data/schema.ts";

/** Maximum bytes and rows that a statement reads. */
const SLICE_BYTES = 2_000_000;
const SLICE_ROWS = 1000;
/** The rowid before the first row of any table. */
const FIRST = Number.MIN_SAFE_INTEGER;
/** Tables that one statement reads: D1 takes five terms in a compound select. */
const TOGETHER = 5;

export type Value = string | number | null;
export type Row = Record<string, Value>;
/** The rows of a table after one, and whether there are more. */
type Slice = { rows: Row[]; last: number; isLast: boolean };

/**
 * The rows of these tables as files of JSON lines, table by table. What is in them is added to `listed` as each file
 * ends. The first rows of five tables are read by one statement, since the free plan allows 50 for an export.
 */
export async function* tableFiles(
  ctx: Context,
  tables: readonly Table[],
  listed: Manifest["tables"],
): AsyncGenerator<ExportedFile> {
  for (const some of inGroups(tables)) {
    const firsts = await readFirstSlices(ctx, some);
    for (const [index, table] of some.entries()) {
      const file = fileOf(table.name);
      const facts = { rows: 0, bytes: 0, sha256: "" };
      yield { path: file, text: counted(linesOf(ctx, table, firsts[index]!), facts) };
      listed.push({ table: table.name, file, ...facts });
    }
  }
}

/** Tables whose first rows are read together: what was erased comes after all rows of the others. */
function inGroups(tables: readonly Table[]) {
  const others = tables.filter(({ name }) => name !== ERASED);
  const groups: Table[][] = [];
  for (let at = 0; at < others.length; at += TOGETHER) groups.push(others.slice(at, at + TOGETHER));
  return [...groups, tables.filter(({ name }) => name === ERASED)];
}

export const fileOf = (table: string) => `data/${table}.ndjson`;
/** The table whose rows a file has; undefined for any other file. */
export const tableOf = (file: string) => /^data\/(\w+)\.ndjson$/.exec(file)?.[1];
export const lineOf = (row: Row) => `${JSON.stringify(row)}\n`;

/** Passes lines on, and counts and hashes them. */
export async function* counted(
  lines: AsyncIterable<string>,
  facts: { rows: number; bytes: number; sha256: string },
) {
  const hash = createHash("sha256");
  for await (const line of lines) {
    const bytes = Buffer.from(line);
    hash.update(bytes);
    facts.rows++;
    facts.bytes += bytes.length;
    yield line;
  }
  facts.sha256 = hash.digest("hex");
}

/** Each row as a line of JSON, in the order in which they were inserted. */
async function* linesOf(ctx: Context, table: Table, first: Slice) {
  let slice = first;
  for (;;) {
    for (const row of slice.rows) yield lineOf(row);
    if (slice.isLast) return;
    slice = await readSlice(ctx, table, slice.last);
  }
}

/** The next rows of a table, about as many as these bytes; at least one. */
export async function readSlice(ctx: Context, table: Table, after = FIRST, bytes = SLICE_BYTES) {
  const [slice] = await readSlices(ctx, [table], after, bytes);
  return slice!;
}

const readFirstSlices = (ctx: Context, tables: Table[]) =>
  readSlices(ctx, tables, FIRST, SLICE_BYTES / TOGETHER);

async function readSlices({ db }: Context, tables: Table[], after: number, bytes: number) {
  const width = Math.max(...tables.map(({ columns }) => columns.length));
  const selects = tables.map((table, index) => selectSlice(table, { index, width, after, bytes }));
  const found = await db.values<[number, number, number, ...Value[]]>(sql.raw(selects.join(" union all ")));
  return tables.map(({ columns }, index): Slice => {
    const own = found.filter(([of]) => of === index).toSorted((one, other) => one[1] - other[1]);
    const [, last = after, newest = after] = own.at(-1) ?? [];
    return {
      rows: own.map(([, , , ...values]) =>
        Object.fromEntries(columns.map(({ name }, column) => [name, values[column]!])),
      ),
      last,
      isLast: last >= newest,
    };
  });
}

type Part = { index: number; width: number; after: number; bytes: number };

/** SQL: the number of the table, each row's rowid, that of the table's newest row, and the row's columns. */
function selectSlice({ name, columns }: Table, { index, width, after, bytes }: Part) {
  const rows = `"${name}" where rowid > ${after} and ${ROWS[name] ?? "true"}`;
  const size = columns.map((column) => `coalesce(octet_length("${column.name}"), 4)`).join(" + ");
  const values = Array.from({ length: width }, (_, at) => (columns[at] ? `"${columns[at].name}"` : "null"));
  return `select ${index}, rowid, (select max(rowid) from ${rows}), ${values.join(", ")} from ${rows}
    and rowid in (
      select place from (
        select place, sum(bytes) over (order by place) - bytes as before
        from (select rowid as place, ${size} as bytes from ${rows} order by rowid limit ${SLICE_ROWS})
      ) where before < ${bytes}
    )`;
}

/** By table, the last id that was given. */
export async function readCounters({ db }: Context, tables: readonly Table[]) {
  const names = new Set(tables.map(({ name }) => name));
  const counters = await db.all<{ name: string; seq: number }>(
    sql`select name, seq from sqlite_sequence order by name`,
  );
  return Object.fromEntries(
    counters.filter(({ name, seq }) => names.has(name) && seq > 0).map(({ name, seq }) => [name, seq]),
  );
}
