import { and, eq } from "drizzle-orm";
import { openStored } from "#worker/files/blob.ts";
import type { Artwork, PicturedChapter } from "#worker/files/audio/pictures.ts";
import { inspectAudio, type Sound } from "#worker/files/inspect.ts";
import { InvalidFileError } from "#worker/files/invalid.ts";
import { inspectPicture, type InspectedPicture } from "#worker/files/pictures/inspect-picture.ts";
import type { Pieces } from "#worker/files/pictures/metadata/pieces.ts";
import { contentDisposition, downloadName, objectKey, publishedKey } from "#worker/files/object-keys.ts";
import { deleteFiles, deleteObject, deleteObjects } from "#worker/files/objects.ts";
import type { File } from "#worker/files/queries.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { fileParts, files } from "#worker/files/table.ts";
import { isAudio, isPicture } from "#worker/files/types.ts";
import { variantsRow } from "#worker/files/pictures/variants.ts";
import type { Context } from "#worker/platform/context.ts";
import { idOf } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";

/** Bytes. R2 requires at least 5 MiB, the same for all parts but the last; one part at a time is in memory. */
export const PART_SIZE = 8 * 1024 * 1024;

/** Bytes of one read of a picture, which is read from start to end twice. */
const PICTURE_READ = 4 * 1024 * 1024;

/** Joins the parts, reads the metadata, publishes a cleaned picture and completes the row. */
export async function finishUpload(ctx: Context, file: File) {
  await joinParts(ctx, file);
  const { clean, ...facts } = await inspect(ctx, file);
  if (!clean) return finish(ctx, file, facts);
  const published = await publish(ctx, file, clean);
  await finish(ctx, file, { ...facts, ...published });
}

function objectOf({ media }: Context, { key, uploadId }: File) {
  if (!uploadId) throw new Error(`${key} is not open for parts`);
  return media.resumeMultipartUpload(key, uploadId);
}

/** Bytes that are given to R2 at a time: it copies what it is given, and a copy of 8 MB takes 14 ms of the isolate. */
export const PIECE = 256 * 1024;

type PartOfFile = {
  number: number;
  size: number;
  /** If it throws, the part is not stored. */
  pieces: Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>;
};

export async function storePart(ctx: Context, file: File, { number, size, pieces }: PartOfFile) {
  // Node, which loads the demo, has no such stream.
  if (!("FixedLengthStream" in globalThis))
    return objectOf(ctx, file).uploadPart(number, await wholeOf(pieces));
  const { readable, writable } = new FixedLengthStream(size);
  const writer = writable.getWriter();
  const storing = objectOf(ctx, file).uploadPart(number, readable);
  // It may fail while the next piece is awaited; the race below throws its error.
  storing.catch(() => undefined);
  try {
    // R2 reads no more after a failure, and a write that no one reads waits without an end.
    for await (const piece of pieces) await Promise.race([writer.write(piece), storing]);
    await Promise.race([writer.close(), storing]);
  } catch (error) {
    writer.abort(error).catch(() => undefined);
    throw error;
  }
  return storing;
}

async function wholeOf(pieces: PartOfFile["pieces"]) {
  const copies: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) copies.push(piece.slice());
  return new Blob(copies).arrayBuffer();
}

export function* piecesOf(bytes: Uint8Array<ArrayBuffer>) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
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
    // Already joined, by a concurrent request or by one that crashed afterwards.
    const object = await ctx.media.head(file.key);
    if (object?.size !== file.size) throw error;
  }
}

type Facts = Partial<
  Pick<
    File,
    | "key"
    | "size"
    | "durationSeconds"
    | "flaw"
    | "statedSeconds"
    | "audioStart"
    | "width"
    | "height"
    | "hasAlpha"
    | "isCmyk"
    | "isAnimated"
    | "tags"
  >
> & {
  artwork?: Artwork | null;
  chapters?: PicturedChapter[];
};

/** Includes the cleaned bytes of a picture. */
async function inspect(ctx: Context, file: File): Promise<Facts & { clean?: Pieces }> {
  const facts = await factsOf(open(ctx, file), file.type).catch((error: unknown) =>
    refuseFile(ctx, file, error),
  );
  if (facts) return facts;
  const what = isAudio(file.type) ? "audio" : "a picture";
  const message = `“${file.name}” can’t be read as ${what}. Export it again and retry.`;
  return refuseFile(ctx, file, new InvalidFileError(message));
}

/** Deletes an invalid file and throws a message about it; any other error is thrown unchanged. */
export async function refuseFile(ctx: Context, file: File, error: unknown): Promise<never> {
  if (!(error instanceof InvalidFileError)) throw error;
  await discardUpload(ctx, file);
  throw new AppError("invalid", error.message, { field: "file" });
}

async function factsOf(blob: Blob, type: string): Promise<Facts | Sound | InspectedPicture | null> {
  if (isAudio(type)) return inspectAudio(blob);
  if (isPicture(type)) return inspectPicture(blob);
  return {};
}

const open = ({ media: bucket }: Context, { key, size, type }: File) =>
  openStored({ bucket, key, size }, type, isPicture(type) ? PICTURE_READ : undefined);

/** Writes a picture to the key from which it is served. Idempotent: the same bytes have the same key. */
async function publish(ctx: Context, file: File, clean: Pieces) {
  const key = publishedKey(file.key);
  const bytes = await clean.bytes(open(ctx, file));
  await ctx.media.put(key, bytes, { httpMetadata: httpMetadata(trueName(file), file.type) });
  return { key, size: clean.size };
}

async function finish(ctx: Context, file: File, { artwork, chapters, ...facts }: Facts) {
  const addresses = new Map<Artwork, string>();
  const store = async (picture: Artwork, called: string) => {
    const { key, ...stored } = await storePicture(ctx, file, picture, called);
    addresses.set(picture, mediaUrl(key));
    return stored;
  };
  const picture = artwork ? await store(artwork, "artwork") : null;
  const ofChapters = [];
  for (const each of new Set(chapters?.flatMap(({ picture: found }) => found ?? [])))
    if (!addresses.has(each)) ofChapters.push(await store(each, `chapter-picture-${ofChapters.length + 1}`));
  const complete = ctx.db
    .update(files)
    .set({
      ...facts,
      ...(chapters && { chapters: chapters.map((chapter) => withAddress(chapter, addresses)) }),
      name: trueName(file),
      status: "complete",
      completedAt: ctx.now,
      uploadId: null,
      artworkFileId: picture?.id ?? null,
      chapterPictureIds: ofChapters.map(({ id }) => id),
    })
    .where(and(eq(files.id, file.id), eq(files.status, "uploading")));
  const tidy = ctx.db.delete(fileParts).where(eq(fileParts.fileId, file.id));
  // For the artwork in an audio file, or the file itself.
  const variants = variantsRow(ctx, picture ?? { ...file, ...facts });
  // Not before the row has the new key: until then the picture may have to be published again.
  const incoming =
    facts.key === undefined || facts.key === file.key ? null : deleteObject(ctx, { key: file.key });
  await ctx.db.batch([
    complete,
    tidy,
    ...(picture ? [picture.statement] : []),
    ...ofChapters.map(({ statement }) => statement),
    ...(variants ? [variants.statement] : []),
    ...(incoming ? [incoming.statement] : []),
  ]);
  if (variants) enqueue(ctx, variants.id);
  // A message of its own on the free plan, whose invocations are short.
  if (incoming && ctx.config.plan === "free") enqueue(ctx, incoming.id);
  else if (incoming) await deleteObjects(ctx, incoming.id);
}

const withAddress = ({ picture, ...chapter }: PicturedChapter, addresses: Map<Artwork, string>) => ({
  ...chapter,
  ...(picture && { img: addresses.get(picture)! }),
});

/** With the extension of the true type, like the key. */
const trueName = ({ name, key }: File) => downloadName(name, key.slice(key.lastIndexOf(".") + 1));

/** Stores a picture of an audio file as a separate file. Idempotent: its id is derived from the audio's. */
async function storePicture(ctx: Context, audio: File, picture: Artwork, called: string) {
  const { bytes, type, extension, ...dimensions } = picture;
  const id = await idOf(`${called} ${audio.id}`);
  const name = `${called}.${extension}`;
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
      ...dimensions,
      createdBy: audio.createdBy,
      createdAt: ctx.now,
      completedAt: ctx.now,
    })
    .onConflictDoNothing();
  return { id, key, type, isAnimated: picture.isAnimated ?? null, statement };
}

/** Deletes everything of an upload that cannot become a file. */
export async function discardUpload(ctx: Context, file: File) {
  const { id, statements } = deleteFiles(ctx, eq(files.id, file.id));
  await ctx.db.batch(statements);
  await deleteObjects(ctx, id);
}

export const httpMetadata = (name: string, mime: string) => ({
  contentType: contentType(mime),
  contentDisposition: contentDisposition(name),
});

const contentType = (mime: string) => (mime.startsWith("text/") ? `${mime}; charset=utf-8` : mime);
