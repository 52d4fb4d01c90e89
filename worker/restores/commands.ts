import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { BadArchive, ListedObject, readManifest, type Manifest } from "#worker/exports/contract.ts";
import { readMigration, readTables } from "#worker/exports/tables.ts";
import type { ImportProgress } from "#worker/imports/contract.ts";
import { startImport } from "#worker/imports/import-commands.ts";
import { readDetails } from "#worker/imports/import-queries.ts";
import { insertImport, insertItems } from "#worker/imports/items.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { linesIn, parseRows } from "#worker/restores/check-rows.ts";
import { COMPARED, LAST_STEP, NewPiece, NewRestore, RESTORE } from "#worker/restores/contract.ts";
import { requireEmpty } from "#worker/restores/is-empty.ts";
import { hashText, pieceKey, requireTable, type Step } from "#worker/restores/restore-piece.ts";
import { stagedKey } from "#worker/restores/staging.ts";

/**
 * Creates a restore, whose pieces follow. Nothing of the site is changed before it starts.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid` for an archive that this site cannot
 * read; `conflict` for a site that is not empty
 */
export async function createRestore(ctx: Context, input: NewRestore): Promise<ImportProgress> {
  requireCapability("restore", ctx);
  requireRecentProof(ctx);
  const { source, manifest } = parseInput(NewRestore, input);
  await requireReadable(ctx, manifest);
  await requireEmpty(ctx);
  const [created] = await insertImport(ctx, { kind: RESTORE, source, details: manifest });
  const { id } = created!;
  return addSteps(ctx, id, [{ key: "begin", title: "Prepare the site", payload: { step: "begin" } }]);
}

/** @throws `invalid` */
async function requireReadable(ctx: Context, manifest: Manifest) {
  refusingBadArchive(() => readManifest(JSON.stringify(manifest)));
  const [migration, tables] = await Promise.all([readMigration(ctx), readTables(ctx)]);
  if (manifest.migration > migration)
    throw new AppError(
      "invalid",
      "This archive was made by a newer version of Rostrum. Update this site first, then restore it.",
    );
  if (manifest.migration < migration)
    throw new AppError(
      "invalid",
      `This archive was made by an older version of Rostrum (${manifest.migration}). Restore it with that version, then update the site.`,
    );
  const names = new Set(tables.map(({ name }) => name));
  const unknown = manifest.tables.find(({ table }) => !names.has(table));
  if (unknown) throw new AppError("invalid", `This site has no table “${unknown.table}”.`);
  const missing = [...names].find((name) => !manifest.tables.some(({ table }) => table === name));
  if (missing)
    throw new AppError("invalid", `The archive has no table “${missing}”. Download the export again.`);
}

function refusingBadArchive<T>(read: () => T) {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadArchive) throw new AppError("invalid", error.message);
    throw error;
  }
}

/**
 * Checks and stores a piece of a file of rows: whole lines. Sending it again changes nothing.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `conflict` once the restore has started
 */
export async function addPiece(ctx: Context, id: number, input: NewPiece): Promise<ImportProgress> {
  requireCapability("restore", ctx);
  const { file, number, text } = parseInput(NewPiece, input);
  const manifest = (await readDetails(ctx, id, RESTORE)) as Manifest;
  const rows = await countRows(ctx, manifest, file, text);
  const bytes = Buffer.byteLength(text);
  const sha256 = hashText(text);
  await ctx.media.put(stagedKey(id, number), text);
  return addSteps(ctx, id, [
    {
      key: pieceKey(number),
      title: file,
      payload: { step: "piece", of: file, number, rows, bytes, sha256 },
      size: bytes,
    },
  ]);
}

async function countRows(ctx: Context, manifest: Manifest, file: string, text: string) {
  if (file !== manifest.objects.file) return parseRows(await requireTable(ctx, manifest, file), text).length;
  const objects = linesIn(text);
  if (!objects.every(isObject)) throw new AppError("invalid", "The archive’s list of files can’t be read.");
  return objects.length;
}

function isObject(line: string) {
  try {
    return ListedObject.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}

/**
 * Starts a restore whose pieces were all sent.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if it has started, or the site is not empty
 */
export async function startRestore(ctx: Context, id: number): Promise<ImportProgress> {
  requireCapability("restore", ctx);
  requireRecentProof(ctx);
  const { tables } = (await readDetails(ctx, id, RESTORE)) as Manifest;
  await requireEmpty(ctx);
  await addSteps(ctx, id, [
    ...tables.map(({ table }) => ({
      key: `compare-${table}`,
      title: COMPARED + table,
      payload: { step: "compare", table } as const,
    })),
    { key: LAST_STEP, title: "Show the restored site", payload: { step: "finish" } },
  ]);
  return startImport(ctx, id);
}

type AddedStep = { key: string; title: string; payload: Step; size?: number };

async function addSteps(ctx: Context, id: number, steps: AddedStep[]): Promise<ImportProgress> {
  const added = await insertItems(ctx, id, steps);
  if (!added) throw new AppError("conflict", "This restore has started already.");
  return added;
}
