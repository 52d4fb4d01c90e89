import type { SqlPiece, TableFacts } from "#worker/backups/contract.ts";
import {
  createOthers,
  createTables,
  FIRST,
  insertRow,
  isLastPage,
  readPage,
  readSchema,
  rebuildSearch,
  repairs,
  setCounters,
  type Schema,
} from "#worker/backups/database-sql.ts";
import { pageHash, sha256 } from "#worker/backups/digests.ts";
import type { Loose } from "#worker/backups/pieces.ts";
import { storePiece } from "#worker/backups/pieces.ts";
import type { Context } from "#worker/platform/context.ts";
import { askOf } from "#worker/platform/data/schema.ts";

/** Where reading tables continues: within this table, or after it. */
export type TablesPosition = {
  /** Of the tables: a deployment may change them during the copy. */
  schema: string;
  pageBytes: number;
  tables: TableFacts[];
  /** The last rowid that was read of the last table; null if that is complete. */
  after: number | null;
};

/** Bytes of rows in a page. A step reads pages until it has that many. */
const PAGE_BYTES = 1_000_000;
const SMALL_PAGE_BYTES = 100_000;
/** Statements of a step: the free plan has 50 for an invocation. */
const STEP_READS = 25;

export const pageBytesOf = ({ config }: Context) => (config.plan === "free" ? SMALL_PAGE_BYTES : PAGE_BYTES);

export const schemaHash = ({ tables, others }: Schema) =>
  sha256([...tables, ...others].map((each) => String(each.sql)).join("\n"));

/** The next rows of the tables, with the digests of their pages; `next` is null after the last table. */
export async function readTables(ctx: Context, schema: Schema, position: TablesPosition) {
  const ask = askOf(ctx);
  const { pageBytes } = position;
  const tables = [...position.tables];
  const statements: string[] = [];
  let { after } = position;
  let bytes = 0;
  for (let reads = 0; bytes < pageBytes && reads < STEP_READS; reads++) {
    const at = after === null ? tables.length : tables.length - 1;
    const table = schema.tables[at];
    if (!table) return { statements, next: null, tables };
    const facts = after === null ? { name: table.name, rows: 0, sha256: "" } : tables.pop()!;
    const [rows = []] = await ask([readPage({ table, after: after ?? FIRST, size: pageBytes })]);
    for (const row of rows) {
      for (const statement of insertRow(table, row)) {
        statements.push(statement);
        bytes += statement.length;
      }
    }
    tables.push(
      rows.length > 0
        ? { ...facts, rows: facts.rows + rows.length, sha256: await pageHash(facts.sha256, rows) }
        : facts,
    );
    after = isLastPage(rows, pageBytes) ? null : Number(rows.at(-1)!["position"]);
  }
  return { statements, next: { ...position, tables, after }, tables };
}

/** Statements as text, one after another. */
export const sqlText = (statements: string[]) => statements.map((statement) => `${statement};\n`).join("");

/**
 * The statements of a piece. A statement begins a line with one of these words, and no further line of one does: the
 * bodies of triggers are indented.
 */
export const statementsOf = (text: string) =>
  text.split(/;\n(?=(?:PRAGMA|CREATE|INSERT|UPDATE|DELETE|DROP|ALTER)\b|$)/i).filter((each) => each !== "");

/** Stores statements as one piece; none for none. */
export async function storeSql(ctx: Context, copy: string, does: SqlPiece["does"], statements: string[]) {
  if (statements.length === 0) return [];
  const piece: Loose<SqlPiece> = { ...(await storePiece(ctx, copy, sqlText(statements))), does };
  return [piece];
}

/** The pieces that follow the rows. */
export async function storeRest(ctx: Context, copy: string, schema: Schema) {
  return [
    ...(await storeSql(ctx, copy, "rows", await setCounters(askOf(ctx)))),
    ...(await storeSql(ctx, copy, "links", repairs(schema))),
    ...(await storeSql(ctx, copy, "others", createOthers(schema))),
    ...(await storeSql(ctx, copy, "search", rebuildSearch)),
  ];
}

export async function startTables(ctx: Context, copy: string) {
  const schema = await readSchema(askOf(ctx));
  return {
    pieces: await storeSql(ctx, copy, "tables", createTables(schema)),
    position: {
      schema: await schemaHash(schema),
      pageBytes: pageBytesOf(ctx),
      tables: [],
      after: null,
    } satisfies TablesPosition,
  };
}
