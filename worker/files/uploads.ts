import { and, eq } from "drizzle-orm";
import { v5 as uuidOf } from "uuid";
import { openStored } from "#worker/files/blob.ts";
import {
  INVALID_TYPE,
  maxBytes,
  mayUpload,
  NewFile,
  PartNumber,
  tooLarge,
  type StoredFile,
  type Upload,
} from "#worker/files/contract.ts";
import {
  inspectAudio,
  inspectPicture,
  type Artwork,
  type InspectedPicture,
  type Sound,
} from "#worker/files/inspect.ts";
import { InvalidFileError } from "#worker/files/invalid.ts";
import type { Pieces } from "#worker/files/metadata/pieces.ts";
import {
  contentDisposition,
  downloadName,
  incomingKey,
  objectKey,
  publishedKey,
} from "#worker/files/names.ts";
import { abortUpload, removeObjects } from "#worker/files/objects.ts";
import { isUnused, type FileReferences } from "#worker/files/references.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { fileParts, files } from "#worker/files/table.ts";
import { isAudio, isPicture, readType, type FileType } from "#worker/files/types.ts";
import { variantsRow } from "#worker/files/variants.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { logWarning } from "#worker/platform/log.ts";
import { wake } from "#worker/platform/outbox.ts";

/** R2 wants 5 MiB or more, all but the last alike; one is held in memory at a time. */
const PART_SIZE = 8 * 1024 * 1024;

/** A picture is read from end to end, twice, and kept as little as possible of. */
const PICTURE_READ = 4 * 1024 * 1024;

type File = typeof files.$inferSelect;
type Progress = { file: File; received: number };
type Part = { id: string; number: number; body: ReadableStream<Uint8Array> | null };

/** @throws `unauthenticated`, `forbidden`; `invalid`; `too_large`, `unsupported_type` for what the folder does not take */
export async function startUpload(ctx: Context, input: NewFile): Promise<Upload> {
  requireCapability("edit", ctx);
  const { name, type, size, folder } = parseInput(NewFile, input);
  if (size >= maxBytes(folder)) throw new AppError("too_large", tooLarge(folder), { field: "file" });
  if (!mayUpload(folder, type)) throw new AppError("unsupported_type", INVALID_TYPE, { field: "file" });
  const id = crypto.randomUUID();
  // The first part's bytes tell the true type and with it the final key.
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
    createdBy: actorId(ctx),
    createdAt: ctx.now,
  };
  await ctx.db.insert(files).values(file);
  return toUpload({ file, received: 0 });
}

/**
 * How far an upload got, so that a browser can resume it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readUpload(ctx: Context, id: string): Promise<Upload> {
  requireCapability("edit", ctx);
  return toUpload(await requireFile(ctx, id));
}

/**
 * Stores the next part. A part that is stored already is answered like a new one: its first answer may have been lost.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `not_found`; `conflict` for another part than the next; `too_large`;
 * `unsupported_type` when the first bytes are of a type that the folder does not take; `bad_request` when the connection
 * breaks
 */
export async function storePart(ctx: Context, { id, body, ...input }: Part): Promise<Upload> {
  requireCapability("edit", ctx);
  const { number } = parseInput(PartNumber, input);
  const { file, received } = await requireFile(ctx, id);
  if (file.status === "complete" || number <= received) return toUpload({ file, received });
  if (number > partsOf(file)) throw new AppError("invalid", `This upload has ${partsOf(file)} parts.`);
  if (number > received + 1) throw new AppError("conflict", `Part ${received + 1} is expected next.`);
  const bytes = await readPart(body, file, number);
  const opened = number === 1 ? await openObject(ctx, file, bytes) : file;
  const { etag } = await objectOf(ctx, opened).uploadPart(number, bytes);
  await ctx.db.batch([
    ctx.db
      .insert(fileParts)
      .values({ fileId: id, number, etag, size: bytes.length })
      .onConflictDoUpdate({ target: [fileParts.fileId, fileParts.number], set: { etag } }),
    ctx.db.update(files).set({ lastPartAt: ctx.now }).where(eq(files.id, id)),
  ]);
  return toUpload({ file, received: number });
}

/**
 * Joins the parts to one file and reads its metadata. Safe to call again, and twice at once.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` when a part is missing; `invalid` for a file that cannot
 * be read
 */
export async function completeUpload(ctx: Context, id: string): Promise<StoredFile> {
  requireCapability("edit", ctx);
  const { file, received } = await requireFile(ctx, id);
  if (file.status === "uploading") {
    if (received < partsOf(file)) throw new AppError("conflict", `Part ${received + 1} is missing.`);
    await makeFile(ctx, file).catch(async (error: unknown) => {
      // A parallel request may have finished first and removed the object that this one reads.
      if (!(await findStoredFiles(ctx, [id])).has(id)) throw error;
    });
  }
  const stored = (await findStoredFiles(ctx, [id])).get(id);
  return stored ?? notFound();
}

async function makeFile(ctx: Context, file: File) {
  await joinParts(ctx, file);
  const { clean, ...facts } = await inspect(ctx, file);
  if (!clean) return finish(ctx, file, facts);
  const published = await publish(ctx, file, clean);
  await finish(ctx, file, { ...facts, ...published });
  // Last: until the row holds the new key, the picture may have to be published again.
  if (published.key !== file.key) await ctx.media.delete(file.key);
}

/**
 * Aborts an upload, or deletes a file that nothing uses.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` for a file that is in use
 */
export async function deleteFile(ctx: Context, id: string, references: FileReferences) {
  requireCapability("edit", ctx);
  const { file } = await requireFile(ctx, id);
  await abortUpload(ctx, file);
  const [removed] = await ctx.db
    .delete(files)
    .where(and(eq(files.id, id), isUnused(references)))
    .returning();
  if (!removed) throw new AppError("conflict", "This file is in use.");
  // The first part may have arrived in between.
  if (removed.uploadId !== file.uploadId) await abortUpload(ctx, removed);
  await removeObjects(ctx, [removed]);
}

/** Reads the type from the first part's bytes, which decides the key, and opens the object for all parts. */
async function openObject(ctx: Context, file: File, bytes: Uint8Array): Promise<File> {
  const type = await readType(bytes, file.folder);
  // An interrupted attempt may have left an open object, whose type is fixed.
  if (!type || (file.uploadId && type.mime !== file.type)) {
    await discard(ctx, file);
    throw new AppError("unsupported_type", INVALID_TYPE, { field: "file" });
  }
  return file.uploadId ? file : createObject(ctx, file, type);
}

async function createObject(ctx: Context, file: File, { mime, extension }: FileType): Promise<File> {
  const name = downloadName(file.name, extension);
  const finalKey = await objectKey(file.folder, file.id, name, extension);
  const key = isPicture(mime) ? incomingKey(finalKey) : finalKey;
  const object = await ctx.media.createMultipartUpload(key, { httpMetadata: httpMetadata(name, mime) });
  const [opened] = await ctx.db
    .update(files)
    .set({ key, name, type: mime, uploadId: object.uploadId, lastPartAt: ctx.now })
    .where(and(eq(files.id, file.id), eq(files.key, file.key)))
    .returning();
  if (opened) return opened;
  // A parallel request sent the first part or cancelled the upload.
  await object.abort();
  return (await requireFile(ctx, file.id)).file;
}

function objectOf({ media }: Context, { key, uploadId }: File) {
  if (!uploadId) throw new Error(`${key} is not open for parts`);
  return media.resumeMultipartUpload(key, uploadId);
}

async function joinParts(ctx: Context, file: File) {
  const parts = await ctx.db
    .select({ partNumber: fileParts.number, etag: fileParts.etag })
    .from(fileParts)
    .where(eq(fileParts.fileId, file.id))
    .orderBy(fileParts.number);
  try {
    await objectOf(ctx, file).complete(parts);
  } catch (error) {
    // Joined already, by a parallel request or by one that crashed afterwards.
    const object = await ctx.media.head(file.key);
    if (object?.size !== file.size) throw error;
  }
}

type Facts = Partial<
  Pick<File, "key" | "size" | "durationSeconds" | "audioStart" | "width" | "height" | "hasAlpha" | "chapters">
> & {
  artwork?: Artwork | null;
};

/** For a picture also the bytes that are published of it. */
async function inspect(ctx: Context, file: File): Promise<Facts & { clean?: Pieces }> {
  const refuse = async (message: string): Promise<never> => {
    await discard(ctx, file);
    throw new AppError("invalid", message, { field: "file" });
  };
  try {
    const facts = await factsOf(open(ctx, file), file.type);
    if (facts) return facts;
  } catch (error) {
    if (error instanceof InvalidFileError) return refuse(error.message);
    throw error;
  }
  const what = isAudio(file.type) ? "audio" : "a picture";
  return refuse(`“${file.name}” could not be read as ${what}. Export it again and retry.`);
}

async function factsOf(blob: Blob, type: string): Promise<Facts | Sound | InspectedPicture | null> {
  if (isAudio(type)) return inspectAudio(blob);
  if (isPicture(type)) return inspectPicture(blob);
  return {};
}

const open = ({ media: bucket }: Context, { key, size, type }: File) =>
  openStored({ bucket, key, size }, type, isPicture(type) ? PICTURE_READ : undefined);

/** Writes a picture to the key that it is served from. Idempotent: the same bytes under the same key. */
async function publish(ctx: Context, file: File, clean: Pieces) {
  const key = publishedKey(file.key);
  const bytes = await clean.bytes(open(ctx, file));
  await ctx.media.put(key, bytes, { httpMetadata: httpMetadata(file.name, file.type) });
  return { key, size: clean.size };
}

async function finish(ctx: Context, file: File, { artwork, ...facts }: Facts) {
  const picture = artwork ? await storeArtwork(ctx, file, artwork) : null;
  const complete = ctx.db
    .update(files)
    .set({
      ...facts,
      status: "complete",
      completedAt: ctx.now,
      uploadId: null,
      artworkFileId: picture?.id ?? null,
    })
    .where(and(eq(files.id, file.id), eq(files.status, "uploading")));
  const tidy = ctx.db.delete(fileParts).where(eq(fileParts.fileId, file.id));
  // Of the artwork in an audio file, or of the file itself.
  const variants = variantsRow(ctx, picture ?? file);
  await ctx.db.batch([
    complete,
    tidy,
    ...(picture ? [picture.statement] : []),
    ...(variants ? [variants.statement] : []),
  ]);
  if (variants) wake(ctx, variants.id);
}

/** Stores the artwork of an audio file as a file of its own. Idempotent: its id is derived from the audio's. */
async function storeArtwork(
  ctx: Context,
  audio: File,
  { bytes, type, extension, width, height, hasAlpha }: Artwork,
) {
  const id = uuidOf("artwork", audio.id);
  const name = `artwork.${extension}`;
  const key = await objectKey("podcast-images", id, name, extension);
  await ctx.media.put(key, bytes, {
    httpMetadata: httpMetadata(name, type),
  });
  const statement = ctx.db
    .insert(files)
    .values({
      id,
      key,
      folder: "podcast-images",
      name,
      type,
      size: bytes.length,
      partSize: PART_SIZE,
      status: "complete",
      width,
      height,
      hasAlpha,
      createdBy: audio.createdBy,
      createdAt: ctx.now,
      completedAt: ctx.now,
    })
    .onConflictDoNothing();
  return { id, type, statement };
}

/** Deletes everything of an upload that cannot become a file. */
async function discard(ctx: Context, file: File) {
  await abortUpload(ctx, file);
  await ctx.db.delete(files).where(eq(files.id, file.id));
  await removeObjects(ctx, [file]);
}

async function requireFile({ db }: Context, id: string): Promise<Progress> {
  const [[file], received] = await db.batch([
    db.select().from(files).where(eq(files.id, id)),
    db.select({ number: fileParts.number }).from(fileParts).where(eq(fileParts.fileId, id)),
  ]);
  return file ? { file, received: received.length } : notFound();
}

function notFound(): never {
  throw new AppError("not_found", "This upload no longer exists. Choose the file again.");
}

async function readPart(body: Part["body"], file: File, number: number) {
  const expected = number < partsOf(file) ? file.partSize : file.size - file.partSize * (partsOf(file) - 1);
  const bytes = new Uint8Array(expected);
  let arrived = 0;
  for await (const chunk of chunksOf(body)) {
    if (arrived + chunk.length > expected) {
      throw new AppError("too_large", `Part ${number} has ${expected} bytes; more arrived.`);
    }
    bytes.set(chunk, arrived);
    arrived += chunk.length;
  }
  if (arrived < expected)
    throw new AppError("invalid", `Part ${number} has ${expected} bytes; ${arrived} arrived.`);
  return bytes;
}

async function* chunksOf(body: Part["body"]) {
  if (!body) return;
  try {
    // The error handler drains the rest of a refused part.
    yield* body.values({ preventCancel: true });
  } catch (cause) {
    // Expected: the sender paused or lost the connection.
    logWarning("files: a part broke off", cause);
    throw new AppError("bad_request", "The connection was lost within a part.");
  }
}

const partsOf = ({ size, partSize }: Pick<File, "size" | "partSize">) => Math.ceil(size / partSize);

type Known = Pick<File, "id" | "name" | "size" | "partSize" | "status">;

const toUpload = ({ file, received }: { file: Known; received: number }): Upload => ({
  id: file.id,
  name: file.name,
  size: file.size,
  partSize: file.partSize,
  received: file.status === "complete" ? partsOf(file) : received,
  parts: partsOf(file),
  status: file.status,
});

const httpMetadata = (name: string, mime: string) => ({
  contentType: contentType(mime),
  contentDisposition: contentDisposition(name),
});

const contentType = (mime: string) => (mime.startsWith("text/") ? `${mime}; charset=utf-8` : mime);

const actorId = ({ actor }: Context) => (actor.kind === "user" ? actor.id : actor.kind);
