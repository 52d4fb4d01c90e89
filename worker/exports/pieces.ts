import { sql } from "drizzle-orm";
import { objectLine, OBJECTS, readHead } from "#worker/exports/archive.ts";
import { PieceQuery, type ArchiveOutline, type ArchivePiece } from "#worker/exports/contract.ts";
import {
  permitFor,
  recordExport,
  requireExport,
  requireExporter,
  requirePermit,
} from "#worker/exports/require-export.ts";
import { fileOf, lineOf, readSlice, tableOf } from "#worker/exports/rows.ts";
import { readTable, readTables } from "#worker/exports/tables.ts";
import { listedPage } from "#worker/files/hashes.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * The archive in pieces, each of which is a request: a whole export takes more than the 50 statements and 10 ms of
 * processor time that the free plan has for one. The browser joins them.
 */

/** Bytes of rows in a piece. */
const PIECE_BYTES = 200_000;
/** Files of a piece of their list: the piece ends after one that was read for its hash. */
const PIECE_OBJECTS = 20;

/** What the permit for pieces is of. */
const ARCHIVE = "archive";

/**
 * What an archive begins with. Logged as a security event.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `conflict` during a restore
 */
export async function readOutline(ctx: Context): Promise<ArchiveOutline> {
  await requireExport(ctx);
  const contentVersion = await readContentVersion(ctx);
  const tables = await readTables(ctx);
  const head = await readHead(ctx, tables);
  await recordExport(ctx);
  return {
    contentVersion,
    permit: await permitFor(ctx, ARCHIVE),
    head,
    tables: tables.map(({ name }) => ({ table: name, file: fileOf(name) })),
    objects: OBJECTS,
  };
}

/**
 * Whole lines of a file of the archive. `after` is the previous piece's `next`, which is null at the end of the file.
 * @throws `unauthenticated`, `forbidden`; `conflict` without a permit of this session and hour, or during a restore; `invalid`;
 * `not_found` for a file that the archive does not have
 */
export async function readPiece(ctx: Context, query: PieceQuery): Promise<ArchivePiece> {
  requireExporter(ctx);
  const { file, after, permit } = parseInput(PieceQuery, query);
  await requirePermit(ctx, permit, ARCHIVE);
  const piece = await readLines(ctx, file, after);
  // After the rows, so that the last piece's is of all.
  return { ...piece, contentVersion: await readContentVersion(ctx) };
}

async function readLines(ctx: Context, file: string, after: string | undefined) {
  if (file === OBJECTS) {
    const { objects, next } = await listedPage(ctx, after ?? null, PIECE_OBJECTS);
    return { text: objects.map(objectLine).join(""), next };
  }
  const name = tableOf(file);
  const table = name === undefined ? undefined : await readTable(ctx, name);
  if (!table) throw new AppError("not_found", "The archive has no such file.");
  if (after !== undefined && !/^-?\d{1,16}$/.test(after))
    throw new AppError("invalid", "There is no such piece.", { field: "after" });
  const from = after === undefined ? undefined : Number(after);
  const { rows, last, isLast } = await readSlice(ctx, table, from, PIECE_BYTES);
  return { text: rows.map(lineOf).join(""), next: isLast ? null : String(last) };
}

/**
 * The same as long as neither a migration nor a changed address of a text came in between: pieces from before and after would
 * have two texts with one address. A new text, and each new address that an owner saves, is a version of its own.
 */
async function readContentVersion({ db }: Context) {
  const [row] = await db.all<{ version: string }>(
    sql`select (select max(id) from d1_migrations) || '-' || coalesce((select max(id) from revisions), 0) as version`,
  );
  return row!.version;
}
