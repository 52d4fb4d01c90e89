import type { FileFolder, Upload } from "#worker/files/contract.ts";
import { completeUpload, createUpload, uploadPart } from "#worker/files/commands.ts";
import type { Context } from "#worker/platform/context.ts";

export const bodyOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream();

/** The bytes of one part of an upload, by its number. */
export const partOf = (
  bytes: Uint8Array<ArrayBuffer>,
  { partSize }: Pick<Upload, "partSize">,
  number: number,
) => bytes.slice((number - 1) * partSize, number * partSize);

/** Uploads a whole file through the use cases. */
export async function uploadFile(
  ctx: Context,
  bytes: Uint8Array<ArrayBuffer>,
  { name, folder, type = "" }: { name: string; folder: FileFolder; type?: string },
) {
  const upload = await createUpload(ctx, { name, folder, type, size: bytes.length });
  for (let number = 1; number <= upload.parts; number++) {
    await uploadPart(ctx, { id: upload.id, number, body: bodyOf(partOf(bytes, upload, number)) });
  }
  return completeUpload(ctx, upload.id);
}
