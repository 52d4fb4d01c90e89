import type { Piece } from "#worker/backups/contract.ts";
import { FILE_PIECE, sha256 } from "#worker/backups/digests.ts";
import { listObjects, partKey, putOnce, readRange, WORK, type Part } from "#worker/backups/store.ts";
import type { Context } from "#worker/platform/context.ts";

/** A piece that is stored alone until all of them are joined. */
export type Loose<P extends Piece = Piece> = P & { key: string };

const workFolder = (copy: string) => `${WORK}${copy}/`;

/** Its key is used by this step alone: a step that lost its claim overwrites nothing. */
export async function storePiece(ctx: Context, copy: string, text: string): Promise<Loose> {
  const bytes = new TextEncoder().encode(text);
  const hash = await sha256(bytes);
  const key = workFolder(copy) + crypto.randomUUID();
  await ctx.backup!.put(key, bytes, { sha256: hash });
  return { key, bytes: bytes.length, sha256: hash };
}

/** Where joining continues: the parts of the upload that are stored. */
export type Joining = { uploadId: string; parts: R2UploadedPart[] } | null;

/**
 * Joins the pieces into one object, by parts of 5 MiB, so that few are in memory at a time. Returns where to continue;
 * null once it is complete.
 */
export async function joinPieces(
  ctx: Context,
  { copy, part, pieces, joining }: { copy: string; part: Part; pieces: Loose[]; joining: Joining },
): Promise<Joining> {
  const bucket = ctx.backup!;
  const key = partKey(copy, part);
  const total = pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= FILE_PIECE) {
    await putOnce(bucket, key, await readAcross(bucket, pieces, 0, total));
    return null;
  }
  if (!joining) return { uploadId: (await bucket.createMultipartUpload(key)).uploadId, parts: [] };
  const upload = bucket.resumeMultipartUpload(key, joining.uploadId);
  const from = joining.parts.length * FILE_PIECE;
  if (from < total) {
    const content = await readAcross(bucket, pieces, from, Math.min(total, from + FILE_PIECE));
    const stored = await upload.uploadPart(joining.parts.length + 1, content);
    return { ...joining, parts: [...joining.parts, stored] };
  }
  try {
    await upload.complete(joining.parts);
  } catch (error) {
    // A step that was interrupted may have completed it.
    if ((await bucket.head(key))?.size !== total) throw error;
  }
  return null;
}

/** The bytes from one position to another of what the pieces are together. */
async function readAcross(bucket: R2Bucket, pieces: Loose[], from: number, to: number) {
  const content = new Uint8Array(to - from);
  let start = 0;
  for (const { key, bytes } of pieces) {
    const [first, last] = [Math.max(from, start), Math.min(to, start + bytes)];
    if (first < last) {
      const found = await readRange(bucket, key, first - start, last - first);
      if (!found) throw new Error(`The piece ${key} is missing.`);
      content.set(found, first - from);
    }
    start += bytes;
  }
  return content;
}

/** Deletes the loose pieces of a copy, up to a thousand. Returns whether any are left. */
export async function deletePieces(bucket: R2Bucket, copy: string) {
  const { objects, truncated } = await bucket.list({ prefix: workFolder(copy) });
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
  return truncated;
}

/** The loose pieces of all copies. */
export const listPieces = (bucket: R2Bucket) => listObjects(bucket, WORK);
