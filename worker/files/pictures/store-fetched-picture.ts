import { INVALID_TYPE, type FileFolder } from "#worker/files/contract.ts";
import { httpMetadata, PART_SIZE } from "#worker/files/finish.ts";
import { InvalidFileError } from "#worker/files/invalid.ts";
import { downloadName, objectKey } from "#worker/files/object-keys.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { inspectPicture } from "#worker/files/pictures/inspect-picture.ts";
import { isPicture, readType } from "#worker/files/types.ts";
import { variantsRow } from "#worker/files/pictures/variants.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";

type Received = {
  /** If a picture is already stored under it, that one is not changed. */
  id: string;
  name: string;
  folder: FileFolder;
  alt: string;
  bytes: Uint8Array<ArrayBuffer>;
};

/**
 * Stores a picture that the Worker itself fetched, without its metadata, and has its smaller copies made.
 * @throws `unauthenticated`, `forbidden`; `unsupported_type`, `invalid` if it is not a picture that can be shown
 */
export async function storePicture(ctx: Context, { id, name, folder, alt, bytes }: Received) {
  requireCapability("edit", ctx);
  const type = await readType(bytes, folder);
  if (!type || !isPicture(type.mime)) throw new AppError("unsupported_type", INVALID_TYPE, { field: "file" });
  const blob = new Blob([bytes], { type: type.mime });
  const { clean, ...facts } = await inspect(blob);
  const fileName = downloadName(name, type.extension);
  const key = await objectKey(folder, id, fileName, type.extension);
  await ctx.media.put(key, await clean.bytes(blob), { httpMetadata: httpMetadata(fileName, type.mime) });
  const insert = ctx.db
    .insert(files)
    .values({
      id,
      key,
      folder,
      name: fileName,
      type: type.mime,
      size: clean.size,
      partSize: PART_SIZE,
      status: "complete",
      ...facts,
      alt,
      createdBy: ctx.actor.kind === "user" ? ctx.actor.id : ctx.actor.kind,
      createdAt: ctx.now,
      completedAt: ctx.now,
    })
    .onConflictDoNothing();
  const variants = variantsRow(ctx, { id, type: type.mime, isAnimated: facts.isAnimated ?? null });
  await ctx.db.batch([insert, ...(variants ? [variants.statement] : [])]);
  if (variants) enqueue(ctx, variants.id);
  return (await findStoredFiles(ctx, [id])).get(id)!;
}

async function inspect(blob: Blob) {
  try {
    const found = await inspectPicture(blob);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    throw new AppError("invalid", error.message, { field: "file" });
  }
  throw new AppError("invalid", "This can’t be read as a picture.", { field: "file" });
}
