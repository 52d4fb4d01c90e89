import { PROOF_LASTS_FOR_PARTS, requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { ArchivedObject } from "#worker/exports/contract.ts";
import { compareObject } from "#worker/files/hashes.ts";
import { folderOf } from "#worker/files/object-keys.ts";
import { NO_SUCH_UPLOAD } from "#worker/files/objects.ts";
import { isServedAs } from "#worker/files/types.ts";
import type { FileFolder } from "#worker/files/contract.ts";
import { readDetails, readImport } from "#worker/imports/import-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { EndOfObject, OBJECT_PART, PartOfObject, RESTORE } from "#worker/restores/contract.ts";
import { requireEmpty } from "#worker/restores/is-empty.ts";

/** The files of an archive, sent in parts before the restore starts, so that its report compares them. */

const BYTES = "application/octet-stream";

/**
 * Begins to store a file. `upload` is null if it is stored already. With a type that no upload has, such as that of a
 * script, it is served as bytes.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`; `not_found`; `conflict` once the restore has
 * started, or the site is not empty: the file could replace one that visitors see
 */
export async function beginObject(
  ctx: Context,
  id: number,
  input: ArchivedObject,
): Promise<{ upload: string | null }> {
  requireCapability("restore", ctx);
  requireRecentProof(ctx, PROOF_LASTS_FOR_PARTS);
  const object = parseInput(ArchivedObject, input);
  const { key, http, custom } = object;
  await requireOpen(ctx, id);
  const folder = requireKey(key);
  await requireEmpty(ctx);
  if (await isStored(ctx, object)) return { upload: null };
  const { uploadId } = await ctx.media.createMultipartUpload(key, {
    httpMetadata: isServedAs(http["contentType"] ?? "", folder) ? http : { ...http, contentType: BYTES },
    customMetadata: custom,
  });
  return { upload: uploadId };
}

/**
 * Stores a part; sending it again replaces it.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `too_large`; `conflict` once the restore has started
 */
export async function storeObjectPart(
  ctx: Context,
  id: number,
  input: PartOfObject,
  body: ReadableStream<Uint8Array> | null,
): Promise<{ etag: string }> {
  requireCapability("restore", ctx);
  const { key, upload, number } = parseInput(PartOfObject, input);
  await requireOpen(ctx, id);
  requireKey(key);
  const { etag } = await ctx.media.resumeMultipartUpload(key, upload).uploadPart(number, await readAll(body));
  return { etag };
}

/**
 * Joins the parts of a file. Idempotent.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid` for another size or hash; `not_found`;
 * `conflict` once the restore has started, or the site is not empty
 */
export async function completeObject(ctx: Context, id: number, input: EndOfObject) {
  requireCapability("restore", ctx);
  requireRecentProof(ctx, PROOF_LASTS_FOR_PARTS);
  const { object, upload, etags } = parseInput(EndOfObject, input);
  await requireOpen(ctx, id);
  requireKey(object.key);
  await requireEmpty(ctx);
  const parts = etags.map((etag, index) => ({ partNumber: index + 1, etag }));
  let isJoined = true;
  try {
    await ctx.media.resumeMultipartUpload(object.key, upload).complete(parts);
  } catch (error) {
    // Joined by an earlier request, whose answer was lost.
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
    isJoined = false;
  }
  if (await isStored(ctx, object)) return;
  if (isJoined) await ctx.media.delete(object.key);
  throw new AppError("invalid", `“${object.key}” has arrived damaged. Try again.`);
}

/** By the hash, or the size of a file that is too large to be read on the free plan. */
async function isStored(ctx: Context, object: ArchivedObject) {
  const { is } = await compareObject(ctx, object);
  return is === "same" || is === "sameSize";
}

async function requireOpen(ctx: Context, id: number) {
  await readDetails(ctx, id, RESTORE);
  const { state } = await readImport(ctx, id);
  if (state !== "open") throw new AppError("conflict", "This restore has started already.");
}

function requireKey(key: string): FileFolder {
  const folder = folderOf(key);
  if (folder === null) throw new AppError("invalid", `“${key}” isn’t in a folder of this site.`);
  return folder;
}

async function readAll(body: ReadableStream<Uint8Array> | null) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > OBJECT_PART) throw new AppError("too_large", "A part is too long.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
