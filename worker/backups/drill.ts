import { checkLog } from "#worker/accounts/log-chain.ts";
import type { DrillReport, Manifest } from "#worker/backups/contract.ts";
import { readTables, statementsOf, type TablesPosition } from "#worker/backups/copy-database.ts";
import { FILE_PIECE, fileHash, sha256 } from "#worker/backups/digests.ts";
import {
  clearDrill,
  countHashed,
  findUnlisted,
  inDrill,
  markHashed,
  pickFile,
  prepareDrill,
  readRestored,
  restoredWrites,
  runStatements,
  storeListed,
  type ToHash,
} from "#worker/backups/drill-database.ts";
import { feedFacts } from "#worker/backups/feed.ts";
import { damagedFiles, filesOf } from "#worker/backups/listed-files.ts";
import { DONE, type Next, type Run, type Step } from "#worker/backups/runs.ts";
import {
  copiesAmong,
  Damage,
  FILES,
  listCopyObjects,
  partKey,
  readManifest,
  readPiece,
  readPieces,
  readRange,
} from "#worker/backups/store.ts";
import { listStoredKeys } from "#worker/files/queries.ts";
import type { Context } from "#worker/platform/context.ts";

type Position = {
  copy: string;
  manifest: Manifest;
  isRestored: boolean;
  /** The next piece, its first byte, and its next statement. */
  piece: { at: number; offset: number; from: number };
  tables: TablesPosition;
  feed: DrillReport["feed"];
  /** The last entry of the audit log that was checked. */
  logAfter?: number;
  files: { at: number; offset: number };
  /** The last file of the restored database whose objects were looked up. */
  used: string;
  hashing: { file: ToHash | null; hashes: string[]; left: number };
};

/** Pieces of files that a drill reads and hashes: 1 GB, on the free plan 20 MB. Others are compared by size and etag. */
const HASHED_PIECES = 200;
const FEW_PIECES = 4;
/** Rows that a drill of the free plan writes: D1 allows the account 100,000 a day. */
const MOST_WRITES = 30_000;

const step =
  (run: (ctx: Context, position: Position, run: Run) => Promise<[stage: string, Partial<Position>]>): Step =>
  async (ctx, row): Promise<Next> => {
    const position = row.position as Position;
    const [stage, changed] = await run(ctx, position, row);
    return { stage, position: { ...position, ...changed } };
  };

const first = { at: 0, offset: 0, from: 0 };

/**
 * The steps of a drill: the newest copy is restored into a database of its own and compared with its manifest. The search
 * index, which a restore builds from the rows, is left out. At the end nothing of the restored data is left.
 */
export const drillStages: Record<string, Step> = {
  begin: async (ctx) => {
    const newest = copiesAmong(await listCopyObjects(ctx.backup!)).at(-1);
    if (!newest) throw new Damage("There is no copy yet.");
    const manifest = await readManifest(ctx.backup!, newest.name);
    const position: Position = {
      copy: newest.name,
      manifest,
      isRestored:
        ctx.config.plan !== "free" || (await restoredWrites(ctx, manifest.database.tables)) <= MOST_WRITES,
      piece: first,
      tables: { schema: "", pageBytes: manifest.database.pageBytes, tables: [], after: null },
      feed: "changed",
      files: first,
      used: "",
      hashing: { file: null, hashes: [], left: ctx.config.plan === "free" ? FEW_PIECES : HASHED_PIECES },
    };
    return { stage: "clear", position, copy: newest.name };
  },

  clear: step(async (ctx, { isRestored }) => {
    if (await clearDrill(ctx)) return ["clear", {}];
    await prepareDrill(ctx);
    return [isRestored ? "rows" : "read", {}];
  }),

  // In place of restoring it.
  read: step(async (ctx, { copy, manifest, piece }) => {
    const { pieces } = manifest.database;
    const { next } = await readPieces(ctx.backup!, partKey(copy, "database.sql"), { ...piece, pieces });
    return [next.at < pieces.length ? "read" : "files", { piece: { ...next, from: 0 } }];
  }),

  rows: step(restoreUntil(["tables", "rows"], { again: "rows", next: "compare" })),

  compare: step(async (ctx, { manifest, tables }) => {
    const schema = await readRestored(ctx);
    const { next, tables: read } = await readTables(inDrill(ctx), schema, tables);
    // The last one is complete only if its last page was read.
    const complete = next === null || next.after === null ? read : read.slice(0, -1);
    for (const [at, { name, rows, sha256: hash }] of complete.entries()) {
      const expected = manifest.database.tables[at];
      if (expected?.name !== name) throw new Damage(`The copy has no table ${expected?.name ?? name}.`);
      if (expected.rows !== rows)
        throw new Damage(`The restored table ${name} has ${rows} rows instead of ${expected.rows}.`);
      if (expected.sha256 !== hash)
        throw new Damage(`The restored table ${name} has other values than the site had.`);
    }
    if (next) return ["compare", { tables: next }];
    if (read.length < manifest.database.tables.length)
      throw new Damage(`The copy has no table ${manifest.database.tables[read.length]!.name}.`);
    return ["others", {}];
  }),

  others: step(restoreUntil(["links", "others", "search"], { again: "others", next: "log" })),

  // The rows of the log up to the head that the site had: a row which was changed there before the copy does not match.
  log: step(async (ctx, { manifest: { log }, logAfter }) => {
    if (!log || log.id === 0) return ["feed", {}];
    const { faults, next } = await checkLog(inDrill(ctx), { after: logAfter, until: log });
    const [fault] = faults;
    if (fault)
      throw new Damage(
        `The security log’s chain breaks at entry ${fault.id}. Check the log in Settings ▸ Security.`,
      );
    return next === null ? ["feed", {}] : ["log", { logAfter: next }];
  }),

  feed: step(async (ctx, { manifest }) => {
    const expected = manifest.feed;
    if (!expected) return ["files", { feed: "changed" }];
    const restored = inDrill(ctx);
    const config = { ...ctx.config, siteUrl: manifest.site };
    const found = await feedFacts({ ...restored, config }, expected.at);
    if (found?.sha256 === expected.sha256) return ["files", { feed: "same" }];
    // A newer version may write the feed in another way.
    if (manifest.version !== ctx.config.version) return ["files", { feed: "updated" }];
    throw new Damage("The podcast’s feed of the restored database is not the one of the site.");
  }),

  files: step(async (ctx, { copy, manifest, isRestored, files }) => {
    const piece = manifest.files.pieces[files.at];
    if (!piece) return [isRestored ? "used" : "hash", {}];
    const listed = filesOf(await readPiece(ctx.backup!, partKey(copy, "files.ndjson"), files.offset, piece));
    const [damaged] = await damagedFiles(ctx.backup!, listed);
    if (damaged) throw new Damage(damaged.problem);
    await storeListed(ctx, listed);
    return ["files", { files: { at: files.at + 1, offset: files.offset + piece.bytes } }];
  }),

  used: step(async (ctx, { used }) => {
    const { keys, next } = await listStoredKeys(inDrill(ctx), used);
    const missing = await findUnlisted(ctx, keys);
    if (missing !== null) throw new Damage(`The copy lacks the file ${missing}, which its database names.`);
    return next === null ? ["hash", {}] : ["used", { used: next }];
  }),

  hash: step(async (ctx, { hashing }) => {
    const file = hashing.file ?? (hashing.left > 0 ? await pickFile(ctx) : null);
    if (!file) return ["empty", {}];
    const offset = hashing.hashes.length * FILE_PIECE;
    const length = Math.min(FILE_PIECE, file.bytes - offset);
    const content = await readRange(ctx.backup!, FILES + file.key, offset, length);
    if (!content) throw new Damage(`The file ${file.key} is missing in the bucket of copies.`);
    const hashes = [...hashing.hashes, await sha256(content)];
    const left = hashing.left - 1;
    if (offset + length < file.bytes) return ["hash", { hashing: { file, hashes, left } }];
    if ((await fileHash(hashes)) !== file.sha256)
      throw new Damage(`The file ${file.key} in the bucket of copies has other bytes than the site’s.`);
    await markHashed(ctx, file.key);
    return ["hash", { hashing: { file: null, hashes: [], left } }];
  }),

  empty: async (ctx, run) => {
    const { manifest, isRestored, feed } = run.position as Position;
    const report: DrillReport = {
      tables: manifest.database.tables.length,
      rows: manifest.database.tables.reduce((sum, { rows }) => sum + rows, 0),
      isRestored,
      files: manifest.files.count,
      hashed: await countHashed(ctx),
      feed,
    };
    return { stage: "emptied", position: report };
  },

  emptied: async (ctx, { position }) => ({
    stage: (await clearDrill(ctx)) ? "emptied" : DONE,
    position,
  }),
};

/** Restores the pieces that do one of these things, from the first one that is left. */
function restoreUntil(
  does: Manifest["database"]["pieces"][number]["does"][],
  { again, next }: { again: string; next: string },
) {
  return async (
    ctx: Context,
    { copy, manifest, piece }: Position,
    { id }: Run,
  ): Promise<[string, Partial<Position>]> => {
    const found = manifest.database.pieces[piece.at];
    if (!found || !does.includes(found.does)) return [next, {}];
    const text = await readPiece(ctx.backup!, partKey(copy, "database.sql"), piece.offset, found);
    // The search index is built from the rows: its statements are only read.
    const statements = found.does === "search" ? [] : statementsOf(text);
    const from = await runStatements(ctx, { step: `${id} ${piece.at}`, statements, from: piece.from });
    const moved =
      from === null ? { at: piece.at + 1, offset: piece.offset + found.bytes, from: 0 } : { ...piece, from };
    return [again, { piece: moved }];
  };
}
