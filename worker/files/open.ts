import { and, eq } from "drizzle-orm";
import { refuseVideo } from "#worker/files/audio/mp4-sound.ts";
import { INVALID_TYPE } from "#worker/files/contract.ts";
import { discardUpload, httpMetadata, refuseFile } from "#worker/files/finish.ts";
import { isNotPlayed } from "#worker/files/invalid.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";
import { downloadName, incomingKey, objectKey } from "#worker/files/object-keys.ts";
import { requireFile, type File } from "#worker/files/queries.ts";
import { unplayedSound, whyNoRecording } from "#worker/files/refusals.ts";
import { files } from "#worker/files/table.ts";
import { isMp4Audio, isPicture, readType, type FileType } from "#worker/files/types.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";

/** Reads the type from the first part's bytes, which decides the key, and opens the object for all parts. */
export async function openObject(ctx: Context, file: File, bytes: Uint8Array<ArrayBuffer>): Promise<File> {
  const type = await readType(bytes, file.folder);
  const isRecording = file.folder === "podcast-audio";
  const unplayed = isRecording ? await unplayedSound(bytes) : null;
  if (unplayed) await refuseFile(ctx, file, isNotPlayed(unplayed));
  if (type && isMp4Audio(type.mime)) {
    await refuseVideo(new Reader(new Blob([bytes]))).catch((error: unknown) => refuseFile(ctx, file, error));
  }
  // An interrupted attempt may have left an open object, whose type is fixed.
  if (!type || (file.uploadId && type.mime !== file.type)) {
    await discardUpload(ctx, file);
    const message = !type && isRecording ? await whyNoRecording(bytes) : INVALID_TYPE;
    throw new AppError("unsupported_type", message, { field: "file" });
  }
  return file.uploadId ? file : createObject(ctx, file, type);
}

async function createObject(ctx: Context, file: File, { mime, extension }: FileType): Promise<File> {
  const name = downloadName(file.name, extension);
  // The row has the owner's own name until the file is complete: a refusal says it, and an upload is resumed by it.
  const finalKey = await objectKey(file.folder, file.id, name, extension);
  const key = isPicture(mime) ? incomingKey(finalKey) : finalKey;
  const object = await ctx.media.createMultipartUpload(key, { httpMetadata: httpMetadata(name, mime) });
  const [opened] = await ctx.db
    .update(files)
    .set({ key, type: mime, uploadId: object.uploadId, lastPartAt: ctx.now })
    .where(and(eq(files.id, file.id), eq(files.key, file.key)))
    .returning();
  if (opened) return opened;
  // A parallel request sent the first part or cancelled the upload.
  await afterWrite("files: an upload was not aborted", object.abort());
  const { file: other } = await requireFile(ctx, file.id);
  // The bytes of this request would get the type of the other's.
  if (other.type !== mime) throw new AppError("conflict", "Another upload of this file has begun.");
  return other;
}
