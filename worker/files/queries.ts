import { and, asc, count, eq, gt, sum } from "drizzle-orm";
import type { StoredPeaks, Upload } from "#worker/files/contract.ts";
import { filePeaks, fileParts, files } from "#worker/files/table.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

export type File = typeof files.$inferSelect;

type Progress = { file: File; received: number };

/**
 * The progress of an upload, so that a browser can resume it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readUpload(ctx: Context, id: string): Promise<Upload> {
  requireCapability("edit", ctx);
  return toUpload(await requireFile(ctx, id));
}

/** The number of files and their bytes, without the smaller copies of pictures; for a batch. */
export const selectTotals = ({ db }: Context) =>
  db.select({ count: count(), bytes: sum(files.size).mapWith(Number) }).from(files);

/**
 * The waveform and the loudness of an audio file; null if no browser has measured them yet.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readPeaks(ctx: Context, id: string): Promise<StoredPeaks | null> {
  requireCapability("edit", ctx);
  const [file] = await ctx.db
    .select({ peaks: filePeaks.peaks, loudness: filePeaks.loudness })
    .from(files)
    .leftJoin(filePeaks, eq(filePeaks.id, files.id))
    .where(eq(files.id, id));
  if (!file) throw new AppError("not_found", "There is no such file.");
  return file.peaks === null ? null : { peaks: file.peaks, loudness: file.loudness };
}

const KEYS = 500;

/**
 * The keys of complete files after this one, in their order, and where to continue; `next` is null at the end.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listStoredKeys(ctx: Context, after: string) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({ key: files.key })
    .from(files)
    .where(and(eq(files.status, "complete"), gt(files.key, after)))
    .orderBy(asc(files.key))
    .limit(KEYS);
  const keys = rows.map(({ key }) => key);
  return { keys, next: keys.length < KEYS ? null : keys.at(-1)! };
}

export async function requireFile({ db }: Context, id: string): Promise<Progress> {
  const [[file], received] = await db.batch([
    db.select().from(files).where(eq(files.id, id)),
    db.select({ number: fileParts.number }).from(fileParts).where(eq(fileParts.fileId, id)),
  ]);
  return file ? { file, received: received.length } : notFound();
}

export function notFound(): never {
  throw new AppError("not_found", "This upload no longer exists. Choose the file again.");
}

export const partsOf = ({ size, partSize }: Pick<File, "size" | "partSize">) => Math.ceil(size / partSize);

type Known = Pick<File, "id" | "name" | "size" | "partSize" | "status">;

export const toUpload = ({ file, received }: { file: Known; received: number }): Upload => ({
  id: file.id,
  name: file.name,
  size: file.size,
  partSize: file.partSize,
  received: file.status === "complete" ? partsOf(file) : received,
  parts: partsOf(file),
  status: file.status,
});
