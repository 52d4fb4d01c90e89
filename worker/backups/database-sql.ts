import { setLogHead } from "#worker/accounts/log-head-sql.ts";
import { createIndex, dropIndex } from "#worker/discovery/search-schema.ts";
import {
  readSchema as readWholeSchema,
  type Ask,
  type Row,
  type Table,
} from "#worker/platform/data/schema.ts";

/**
 * A database as SQL that recreates it in an empty one. D1's own export cannot: it refuses databases with FTS5 tables,
 * writes rows before the rows that they refer to, writes statements longer than D1's limit, and turns each literal `\n`
 * in a multi-line text into a line break. `npm run backup` and the nightly copy write it.
 */

/** The rows of a table after this rowid, and their size in bytes. */
type Page = { table: Table; after: number; size: number };

/** Bytes of rows, and tables, that one query reads. */
const ANSWER = 4_000_000;
const TABLES_AT_ONCE = 20;
/** Bytes of a page for each row whose size is read to find where the page ends: D1 charges for every row that is read. */
const BYTES_A_ROW = 200;
/** UTF-16 units of the texts of one statement: D1 takes 100,000 bytes. */
const PIECE = 30_000;

/** Around the hexadecimal digits of a text with a NUL. */
const BYTES = "CAST(X";
const AS_TEXT = " AS TEXT)";

/** The rowid before the first row of any table. */
export const FIRST = Number.MIN_SAFE_INTEGER;

export type Schema = Awaited<ReturnType<typeof readSchema>>;

/** The statements, in order. */
export async function* backUp(ask: Ask): AsyncGenerator<string> {
  const schema = await readSchema(ask);
  yield* createTables(schema);
  yield* rowsOf(ask, schema.tables);
  yield* await setCounters(ask);
  yield* repairs(schema);
  yield* createOthers(schema);
  yield* rebuildSearch;
}

/** A row may come before the one that it refers to. */
export const createTables = ({ tables }: Schema) => [
  "PRAGMA defer_foreign_keys = on",
  ...tables.map(({ sql }) => sql),
];

/** Indexes and triggers. They follow the rows, which contain what the triggers derive. */
export const createOthers = ({ others }: Schema) => others.map(({ sql }) => String(sql));

/** The search index is rebuilt: its triggers were created after the rows. */
export const rebuildSearch = [...dropIndex, ...createIndex];

/** Tables in the order in which they were created, and what belongs to them, without the search index. */
export async function readSchema(ask: Ask) {
  const { tables, others } = await readWholeSchema(ask);
  const isOfIndex = (name: string) => dropIndex.some((drop) => drop.endsWith(` ${name}`));
  return {
    tables: tables.filter(({ name }) => !isOfIndex(name)),
    others: others.filter(({ name }) => !isOfIndex(String(name))),
  };
}

async function* rowsOf(ask: Ask, tables: Table[]) {
  let waiting = tables.map((table) => ({ table, after: FIRST }));
  while (waiting.length > 0) {
    const taken = waiting.slice(0, TABLES_AT_ONCE);
    const pages = taken.map((page) => ({ ...page, size: ANSWER / taken.length }));
    const answers = await ask(pages.map(readPage));
    for (const [at, { table }] of pages.entries()) {
      for (const row of answers[at]!) yield* insertRow(table, row);
    }
    const rest = pages.flatMap(({ table, size }, at) => {
      const rows = answers[at]!;
      return isLastPage(rows, size) ? [] : [{ table, after: Number(rows.at(-1)!["position"]) }];
    });
    waiting = [...rest, ...waiting.slice(TABLES_AT_ONCE)];
  }
}

/** The statements that set the next ids. */
export async function setCounters(ask: Ask) {
  const [counters = []] = await ask(["select name, seq from sqlite_sequence"]);
  return [
    "DELETE FROM sqlite_sequence",
    ...counters.map(({ name, seq }) => `INSERT INTO sqlite_sequence (name, seq) VALUES ('${name}', ${seq})`),
  ];
}

const mostRows = (size: number) => Math.ceil(size / BYTES_A_ROW);

/** SQL of the rows that are copied, by table; otherwise all. What the others have must not leave the database. */
const COPIED: Record<string, string> = {
  // Without the keys of sessions, by which the reader of a copy could open one.
  signing_keys: "use = 'lasting'",
  webhook_secrets: "false",
  transcription_keys: "false",
  proposal_keys: "false",
  payment_keys: "false",
  // The seeds of codes with the key that encrypts them, and what takes their place.
  second_factors: "false",
  factor_keys: "false",
  recovery_codes: "false",
  // Without the emails whose links give access to an account, and the requests for them.
  outbox: "topic <> 'account-request' and not coalesce(payload ->> 'isKey', 0)",
};

/**
 * The query for a page. Each value is an SQL literal, which keeps the full precision of numbers: `c0` and so on, in the
 * order of the columns. `position` is the rowid, and `through` the bytes of the page up to this row.
 */
export function readPage({ table: { name, columns }, after, size }: Page) {
  const bytes = columns.map((column) => `coalesce(octet_length("${column.name}"), 4)`).join(" + ");
  const values = columns
    .map((column, at) => `${literalIn(`"${name}"."${column.name}"`)} as c${at}`)
    .join(", ");
  return `with sized as (
      select rowid as place, ${bytes} as bytes from "${name}"
      where rowid > ${after} and ${COPIED[name] ?? "true"} order by rowid limit ${mostRows(size)}
    ), summed as (select place, bytes, sum(bytes) over (order by place) as through from sized)
    select summed.place as position, ${values}, summed.through from summed cross join "${name}" on "${name}".rowid = summed.place
    where summed.through - summed.bytes < ${size} order by summed.place`;
}

/** A literal of a text ends at a NUL, so such a text is written as its bytes. */
const literalIn = (column: string) =>
  `case when typeof(${column}) = 'text' and instr(${column}, char(0)) > 0
    then '${BYTES}' || hex(${column}) || '${AS_TEXT}' else quote(${column}) end`.replaceAll(/\s+/g, " ");

/** Whether the table ended with this page. It follows from the rows alone, so that rows added later change nothing. */
export const isLastPage = (rows: Row[], size: number) =>
  rows.length < mostRows(size) && Number(rows.at(-1)?.["through"] ?? 0) < size;

/** The statements that insert a row of `readPage`. */
export function* insertRow({ name, columns: all, key }: Table, { position, ...row }: Row) {
  const columns = all.map((column) => column.name);
  const hasOwnKey =
    key.length === 1 && all.some((column) => column.name === key[0] && /^integer$/i.test(column.type));
  let room = PIECE;
  const rest: { column: string; pieces: string[]; literal: (text: string) => string }[] = [];
  const values = columns.map((column, at) => {
    const value = String(row[`c${at}`]);
    const found = textOf(value);
    if (!found) return value;
    const { text, literal } = found;
    const pieces = piecesOf(text);
    const first = pieces[0]!.length > room ? "" : pieces.shift()!;
    room -= first.length;
    if (pieces.length > 0) rest.push({ column, pieces, literal });
    return literal(first);
  });
  // Lists are paged by rowid, also if they have a key of their own.
  const [target, given] = hasOwnKey
    ? [columns, values]
    : [
        ["rowid", ...columns],
        [position, ...values],
      ];
  yield `INSERT INTO "${name}" (${target.map((column) => `"${column}"`).join(",")}) VALUES (${given.join(",")})`;
  for (const { column, pieces, literal } of rest) {
    for (const piece of pieces)
      yield `UPDATE "${name}" SET "${column}" = "${column}" || ${literal(piece)} WHERE rowid = ${position}`;
  }
}

/** The text of a value, or its bytes in hexadecimal digits, and the literal of a piece of it. Null for another value. */
function textOf(value: string) {
  if (value.startsWith("'")) return { text: value.slice(1, -1).replaceAll("''", "'"), literal: literalOf };
  if (!value.startsWith(BYTES)) return null;
  const literal = (digits: string) => `${BYTES}'${digits}'${AS_TEXT}`;
  return { text: value.slice(BYTES.length, -AS_TEXT.length), literal };
}

function piecesOf(text: string) {
  const pieces = [];
  for (let at = 0; at < text.length || pieces.length === 0;) {
    const isSplit = /[\ud800-\udbff]/.test(text[at + PIECE - 1] ?? "");
    const end = at + PIECE - (isSplit ? 1 : 0);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/** On one line: a character that does not occur in the text replaces each line break. */
function literalOf(text: string) {
  let literal = `'${text.replaceAll("'", "''")}'`;
  let mark = 0xe000;
  for (const [lineBreak, code] of [
    ["\n", 10],
    ["\r", 13],
  ] as const) {
    if (!text.includes(lineBreak)) continue;
    while (text.includes(String.fromCodePoint(mark))) mark++;
    const sign = String.fromCodePoint(mark++);
    literal = `replace(${literal.replaceAll(lineBreak, sign)}, '${sign}', char(${code}))`;
  }
  return literal;
}

/** The statements that follow all rows. */
export const repairs = (schema: Schema) => [
  ...withoutLost(schema),
  ...withoutOpenRuns(schema),
  ...(schema.tables.some(({ name }) => name === "log_chain") ? setLogHead : []),
];

/** A restored site must not continue the copy or drill that was in progress. */
const withoutOpenRuns = ({ tables }: Schema) =>
  tables
    .filter(({ name }) => name === "backup_runs")
    .map(({ name }) => `DELETE FROM "${name}" WHERE state IN ('waiting', 'working')`);

/**
 * Tables are read one after the other while the site stays online: a row that refers to one which was deleted in
 * between is deleted, or its key set to null.
 */
const withoutLost = ({ tables }: Schema) =>
  tables.flatMap(({ name, references }) =>
    references.map(({ column, table, to, isOwned }) => {
      const isLost = `"${column}" IS NOT NULL AND "${column}" NOT IN (SELECT "${to}" FROM "${table}")`;
      return isOwned
        ? `DELETE FROM "${name}" WHERE ${isLost}`
        : `UPDATE "${name}" SET "${column}" = NULL WHERE ${isLost}`;
    }),
  );
