import { sql } from "drizzle-orm";
import type { LogHead } from "#worker/accounts/contract.ts";
import { readLogHead } from "#worker/accounts/log-chain.ts";
import type { CopyReport, FeedFacts, Manifest, SqlPiece, TableFacts } from "#worker/backups/contract.ts";
import {
  readTables,
  schemaHash,
  startTables,
  storeRest,
  storeSql,
  type TablesPosition,
} from "#worker/backups/copy-database.ts";
import { copyFiles, firstFile, markDamaged, type FilesPosition } from "#worker/backups/copy-files.ts";
import { readSchema } from "#worker/backups/database-sql.ts";
import { feedFacts } from "#worker/backups/feed.ts";
import { damagedFiles, filesOf } from "#worker/backups/listed-files.ts";
import { deletePieces, joinPieces, storePiece, type Joining, type Loose } from "#worker/backups/pieces.ts";
import { deleteAbandoned, deleteOld } from "#worker/backups/retention.ts";
import { DONE, type Next, type Run, type Step } from "#worker/backups/runs.ts";
import {
  copiesAmong,
  copyName,
  Damage,
  listCopyObjects,
  manifestKey,
  numberOf,
  partKey,
  putOnce,
  readPiece,
  readPieces,
} from "#worker/backups/store.ts";
import { backupRuns } from "#worker/backups/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { askOf } from "#worker/platform/data/schema.ts";

/** What is known of a copy while it is made. */
type Position = {
  name: string;
  number: number;
  feed: FeedFacts | null;
  log: LogHead;
  /** How often the database was read because the feed changed while it was read. */
  reads: number;
  files: FilesPosition;
  tables: TablesPosition | null;
  sql: Loose<SqlPiece>[];
  list: Loose[];
  count: number;
  bytes: number;
  joining: Joining;
  /** The next piece to check, its first byte, and the rows found so far by table. */
  checked: { at: number; offset: number; rows: Record<string, number> };
};

/** Readings of a database whose feed changes each time. */
const MOST_READS = 3;

const unchecked: Position["checked"] = { at: 0, offset: 0, rows: {} };

const step =
  (run: (ctx: Context, position: Position, run: Run) => Promise<[stage: string, Partial<Position>]>): Step =>
  async (ctx, row): Promise<Next> => {
    const position = row.position as Position;
    const [stage, changed] = await run(ctx, position, row);
    return { stage, position: stage === DONE ? reportOf(position) : { ...position, ...changed } };
  };

const reportOf = ({ tables, count, bytes, sql: pieces }: Position): CopyReport => ({
  tables: tables!.tables.length,
  rows: tables!.tables.reduce((sum, { rows }) => sum + rows, 0),
  sqlBytes: pieces.reduce((sum, piece) => sum + piece.bytes, 0),
  files: count,
  fileBytes: bytes,
});

/**
 * The steps of a copy. New files first, so that those which the database names are there; then the database; then the
 * list of the files, with those that were added while it was read. The manifest comes last, once all that it names was read back.
 */
export const copyStages: Record<string, Step> = {
  begin: async (ctx, run) => {
    await deleteAbandoned(ctx, ctx.clock());
    const [known] = await ctx.db
      .select({ copy: sql<string | null>`max(${backupRuns.copy})` })
      .from(backupRuns);
    const stored = (await listCopyObjects(ctx.backup!)).map(({ copy }) => numberOf(copy));
    const number = Math.max(numberOf(known?.copy ?? ""), ...stored) + 1;
    const name = copyName(number, run.startedAt);
    const position: Position = {
      name,
      number,
      feed: await feedFacts(ctx, run.startedAt.getTime()),
      log: await readLogHead(ctx),
      reads: 0,
      files: firstFile,
      tables: null,
      sql: [],
      list: [],
      count: 0,
      bytes: 0,
      joining: null,
      checked: unchecked,
    };
    return { stage: "files", position, copy: name };
  },

  files: step(async (ctx, { number, files }) => {
    const { next } = await copyFiles(ctx, { number, goneFrom: number, ...files });
    return next ? ["files", { files: next }] : ["database", {}];
  }),

  database: step(async (ctx, { name, tables, sql: pieces }) => {
    if (!tables) {
      const start = await startTables(ctx, name);
      return ["database", { tables: start.position, sql: start.pieces }];
    }
    const schema = await readSchema(askOf(ctx));
    // A deployment changed the tables: they are read again.
    if ((await schemaHash(schema)) !== tables.schema) return ["database", { tables: null, sql: [] }];
    const read = await readTables(ctx, schema, tables);
    const stored = await storeSql(ctx, name, "rows", read.statements);
    if (read.next) return ["database", { tables: read.next, sql: [...pieces, ...stored] }];
    const rest = await storeRest(ctx, name, schema);
    return [
      "feed",
      { tables: { ...tables, tables: read.tables, after: null }, sql: [...pieces, ...stored, ...rest] },
    ];
  }),

  // The feed as it was before the database was read: if it is the same now, the copy has all of it in one state.
  feed: step(async (ctx, { feed, reads }, { startedAt }) => {
    const found = await feedFacts(ctx, startedAt.getTime());
    const list = { files: firstFile };
    if (found?.sha256 === feed?.sha256) return ["list", list];
    return reads + 1 < MOST_READS
      ? ["database", { feed: found, reads: reads + 1, tables: null, sql: [] }]
      : ["list", { ...list, feed: null }];
  }),

  list: step(async (ctx, { name, number, files, list, count, bytes }) => {
    // The database may name a file that was deleted after it was read.
    const { lines, next } = await copyFiles(ctx, { number, goneFrom: number + 1, ...files });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const stored = lines.length > 0 ? [await storePiece(ctx, name, text)] : [];
    const listed = {
      list: [...list, ...stored],
      count: count + lines.length,
      bytes: bytes + lines.reduce((sum, line) => sum + line.bytes, 0),
    };
    return next ? ["list", { ...listed, files: next }] : ["join", listed];
  }),

  join: step(async (ctx, { name: copy, sql: pieces, joining }) => {
    const next = await joinPieces(ctx, { copy, part: "database.sql", pieces, joining });
    return [next ? "join" : "joinList", { joining: next }];
  }),

  joinList: step(async (ctx, { name: copy, list: pieces, joining }) => {
    const next = await joinPieces(ctx, { copy, part: "files.ndjson", pieces, joining });
    return [next ? "joinList" : "check", { joining: next }];
  }),

  check: step(async (ctx, { name, sql: pieces, tables, checked }) => {
    const { read, next } = await readPieces(ctx.backup!, partKey(name, "database.sql"), {
      ...checked,
      pieces,
    });
    const rows = { ...checked.rows };
    for (const { piece, text } of read) {
      if (piece.does !== "rows") continue;
      for (const [, table] of text.matchAll(/^INSERT INTO "([^"]+)"/gm))
        rows[table!] = (rows[table!] ?? 0) + 1;
    }
    if (next.at < pieces.length) return ["check", { checked: { ...next, rows } }];
    refuseOtherRows(tables!.tables, rows);
    return ["checkFiles", { checked: unchecked }];
  }),

  checkFiles: step(async (ctx, { name, list, checked }) => {
    const piece = list[checked.at];
    if (!piece) return ["manifest", {}];
    const text = await readPiece(ctx.backup!, partKey(name, "files.ndjson"), checked.offset, piece);
    const damaged = await damagedFiles(ctx.backup!, filesOf(text));
    if (damaged[0]) {
      // The next copy stores them again.
      await markDamaged(
        ctx,
        damaged.map(({ key }) => key),
      );
      throw new Damage(damaged[0].problem);
    }
    return [
      "checkFiles",
      { checked: { ...checked, at: checked.at + 1, offset: checked.offset + piece.bytes } },
    ];
  }),

  manifest: step(async (ctx, position, { startedAt }) => {
    const { name, number, tables, sql: sqlPieces, list, count, bytes, feed } = position;
    const manifest: Manifest = {
      format: 1,
      number,
      site: ctx.config.siteUrl,
      version: ctx.config.version,
      startedAt: startedAt.toISOString(),
      database: {
        pageBytes: tables!.pageBytes,
        pieces: sqlPieces.map(({ key: _key, ...piece }) => piece),
        tables: tables!.tables,
      },
      files: { count, bytes, pieces: list.map(({ key: _key, ...piece }) => piece) },
      feed,
      log: position.log,
    };
    await putOnce(ctx.backup!, manifestKey(name), new TextEncoder().encode(JSON.stringify(manifest)));
    return ["clean", {}];
  }),

  clean: step(async (ctx, { name }) =>
    (await deletePieces(ctx.backup!, name)) ? ["clean", {}] : ["retain", {}],
  ),

  retain: step(async (ctx, { name }) => {
    const objects = await listCopyObjects(ctx.backup!);
    const made = copiesAmong(objects).find((copy) => copy.name === name);
    if (!made) throw new Damage(`The copy ${name} has no manifest.`);
    return (await deleteOld(ctx, objects, made.uploaded)) ? ["retain", {}] : [DONE, {}];
  }),
};

function refuseOtherRows(tables: TableFacts[], found: Record<string, number>) {
  for (const { name, rows } of tables) {
    const there = found[name] ?? 0;
    if (there !== rows) throw new Damage(`The copy has ${there} rows of ${name} instead of ${rows}.`);
  }
}
