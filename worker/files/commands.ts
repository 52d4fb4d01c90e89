import { and, eq, isNull, like, sql } from "drizzle-orm";
import {
  INVALID_TYPE,
  maxBytes,
  mayUpload,
  NewFile,
  PartNumber,
  placeInWords,
  Peaks,
  tooLarge,
  type StoredFile,
  type StoredPeaks,
  type Upload,
} from "#worker/files/contract.ts";
import type { Loudness } from "#worker/files/loudness/contract.ts";
import { moveToBin } from "#worker/bin/move-to-bin.ts";
import { finishUpload, PART_SIZE, PIECE, piecesOf, storePart } from "#worker/files/finish.ts";
import { listUses } from "#worker/files/library/queries.ts";
import { objectKey } from "#worker/files/object-keys.ts";
import { fileNoun } from "#worker/files/noun.ts";
import { deleteFiles, deleteObjects } from "#worker/files/objects.ts";
import { openObject } from "#worker/files/open.ts";
import { notFound, partsOf, requireFile, toUpload, type File } from "#worker/files/queries.ts";
import { isUnused, type FileReferences } from "#worker/files/library/references.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { decides } from "#worker/files/types.ts";
import { filePeaks, fileParts, files } from "#worker/files/table.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { randomId } from "#worker/platform/data/random.ts";
import { logWarning } from "#worker/platform/log.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";

type Piece = Uint8Array<ArrayBuffer>;
type Part = { id: string; number: number; body: ReadableStream<Uint8Array> | null };

/**
 * Starts an upload.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `too_large`, `unsupported_type` for what the folder does not
 * accept
 */
export async function createUpload(ctx: Context, input: NewFile): Promise<Upload> {
  requireCapability("edit", ctx);
  const { name, type, size, folder, kept } = parseInput(NewFile, input);
  if (size >= maxBytes(folder)) throw new AppError("too_large", tooLarge(folder), { field: "file" });
  if (!mayUpload(folder, type)) throw new AppError("unsupported_type", INVALID_TYPE, { field: "file" });
  const id = randomId();
  // The bytes of the first part determine the type and with it the final key.
  const key = await objectKey(folder, id, name, "upload");
  const file = {
    id,
    key,
    folder,
    name,
    type,
    size,
    partSize: PART_SIZE,
    status: "uploading" as const,
    keptAt: kept ? ctx.now : null,
    createdBy: actorId(ctx),
    createdAt: ctx.now,
  };
  await ctx.db.insert(files).values(file);
  return toUpload({ file, received: 0 });
}

/**
 * Stores the next part. A part that is already stored gets the same response again: the first one may have been lost.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `conflict` for a part that is not the next;
 * `too_large`; `unsupported_type` if the first bytes are of a type that the folder does not accept; `bad_request` if
 * the connection breaks
 */
export async function uploadPart(ctx: Context, { id, body, ...input }: Part): Promise<Upload> {
  requireCapability("edit", ctx);
  const { number } = parseInput(PartNumber, input);
  const { file, received } = await requireFile(ctx, id);
  if (file.status === "complete" || number <= received) return toUpload({ file, received });
  if (number > partsOf(file)) throw new AppError("invalid", `This upload has ${partsOf(file)} parts.`);
  if (number > received + 1) throw new AppError("conflict", `Part ${received + 1} is expected next.`);
  const size = number < partsOf(file) ? file.partSize : file.size - file.partSize * (partsOf(file) - 1);
  const arriving = readPart(body, { number, size });
  const [opened, pieces] = number === 1 ? await openFirst(ctx, file, size, arriving) : [file, arriving];
  const { etag } = await storePart(ctx, opened, { number, size, pieces });
  await ctx.db.batch([
    ctx.db
      .insert(fileParts)
      .values({ fileId: id, number, etag, size })
      .onConflictDoUpdate({ target: [fileParts.fileId, fileParts.number], set: { etag } }),
    ctx.db.update(files).set({ lastPartAt: ctx.now }).where(eq(files.id, id)),
  ]);
  return toUpload({ file, received: number });
}

/**
 * Joins the parts to one file and reads its metadata. Safe to call again, also concurrently.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` if a part is missing; `invalid` for a file that
 * cannot be read
 */
export async function completeUpload(ctx: Context, id: string): Promise<StoredFile> {
  requireCapability("edit", ctx);
  const { file, received } = await requireFile(ctx, id);
  if (file.status === "uploading") {
    if (received < partsOf(file)) throw new AppError("conflict", `Part ${received + 1} is missing.`);
    await finishUpload(ctx, file).catch(async (error: unknown) => {
      // A concurrent request may have finished first and deleted the object that this one reads.
      if (!(await findStoredFiles(ctx, [id])).has(id)) throw error;
    });
  }
  const stored = (await findStoredFiles(ctx, [id])).get(id);
  return stored ?? notFound();
}

/**
 * Stores the peaks and the loudness of an audio file, each unless it has some: a file never changes. Returns the stored
 * ones.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found` unless it is a complete audio file
 */
export async function storePeaks(ctx: Context, id: string, input: Peaks): Promise<StoredPeaks> {
  requireCapability("edit", ctx);
  const { peaks, loudness } = parseInput(Peaks, input);
  const audio = ctx.db
    .select({
      id: files.id,
      peaks: sql<string>`${peaks}`.as("peaks"),
      loudness: sql<Loudness | null>`${loudness ? JSON.stringify(loudness) : null}`.as("loudness"),
    })
    .from(files)
    .where(and(eq(files.id, id), eq(files.status, "complete"), like(files.type, "audio/%")));
  const [, [stored]] = await ctx.db.batch([
    ctx.db
      .insert(filePeaks)
      .select(audio)
      .onConflictDoUpdate({
        target: filePeaks.id,
        set: { loudness: sql`excluded.loudness` },
        setWhere: isNull(filePeaks.loudness),
      }),
    ctx.db
      .select({ peaks: filePeaks.peaks, loudness: filePeaks.loudness })
      .from(filePeaks)
      .where(eq(filePeaks.id, id)),
  ]);
  if (!stored) throw new AppError("not_found", "There is no such audio file.");
  return stored;
}

/**
 * Aborts an upload, or deletes a file that nothing uses into the bin.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for a file that is in use
 */
export async function deleteFile(ctx: Context, id: string, references: FileReferences) {
  requireCapability("edit", ctx);
  const { file } = await requireFile(ctx, id);
  if (file.status === "complete") return deleteComplete(ctx, id, references);
  const deletion = deleteFiles(ctx, and(eq(files.id, id), isUnused(references))!);
  const [, removed] = await ctx.db.batch(deletion.statements);
  if (removed.length === 0) throw await inUse(ctx, id, references);
  await afterWrite("files: objects were not deleted", deleteObjects(ctx, deletion.id));
}

/** Its objects stay in R2 until it is deleted for good. */
async function deleteComplete(ctx: Context, id: string, references: FileReferences) {
  const isDeleted = await moveToBin(ctx, fileNoun, id, { only: isUnused(references) });
  if (!isDeleted) throw await inUse(ctx, id, references);
}

/** Names the first item that uses a file, and the number of others. */
async function inUse(ctx: Context, id: string, references: FileReferences) {
  const { uses, useCount } = await listUses(ctx, id, references);
  const [first] = uses;
  const others = useCount > 1 ? ` and ${useCount - 1} other ${useCount > 2 ? "places" : "place"}` : "";
  const where = first ? `: by ${placeInWords(first)}${others}` : "";
  return new AppError("conflict", `This file is in use${where}.`);
}

/** Opens the object for the first part, whose bytes decide the type and whether the file is accepted, and returns its pieces. */
async function openFirst(ctx: Context, file: File, size: number, arriving: AsyncGenerator<Piece>) {
  try {
    const { value: head } = await arriving.next();
    if (await decides(head!, file.folder))
      return [await openObject(ctx, file, head!), continued(head!, arriving)] as const;
    const bytes = new Uint8Array(size);
    let arrived = 0;
    for await (const piece of continued(head!, arriving)) {
      bytes.set(piece, arrived);
      arrived += piece.length;
    }
    return [await openObject(ctx, file, bytes), piecesOf(bytes)] as const;
  } catch (error) {
    await arriving.return(undefined);
    throw error;
  }
}

async function* continued(head: Piece, rest: AsyncGenerator<Piece>) {
  try {
    yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/**
 * The body's pieces, each valid until the next is read.
 * @throws `invalid`, `too_large` for a body of another size, before its last piece; `bad_request` if the connection breaks
 */
async function* readPart(
  body: Part["body"],
  { number, size }: { number: number; size: number },
): AsyncGenerator<Piece> {
  const must = `Part ${number} must have ${size} bytes`;
  const reader = body?.getReader({ mode: "byob" });
  const read = async (buffer: ArrayBuffer, most: number) => {
    // Filled, so that a part takes tens of reads: it arrives in chunks of 4 kB.
    const view = new Uint8Array(buffer, 0, most);
    const { value } = (await reader?.read(view, { min: most }).catch(refuseBroken)) ?? {};
    return value ?? new Uint8Array();
  };
  try {
    let buffer = new ArrayBuffer(PIECE);
    for (let arrived = 0; arrived < size;) {
      const piece = await read(buffer, Math.min(PIECE, size - arrived));
      arrived += piece.length;
      if (piece.length === 0) throw new AppError("invalid", `${must}; ${arrived} arrived.`);
      if (arrived === size && (await read(new ArrayBuffer(1), 1)).length > 0)
        throw new AppError("too_large", `${must}; more arrived.`);
      yield piece;
      buffer = piece.buffer;
    }
  } finally {
    // `readToTheEnd` reads the rest of a refused part.
    reader?.releaseLock();
  }
}

function refuseBroken(cause: unknown): never {
  // Expected: the sender paused or lost the connection.
  logWarning("files: a part broke off", cause);
  throw new AppError("bad_request", "The connection was lost during a part.");
}

const actorId = ({ actor }: Context) => (actor.kind === "user" ? actor.id : actor.kind);
