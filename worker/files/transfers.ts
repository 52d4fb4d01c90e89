import { eq, sql } from "drizzle-orm";
import type { FileFolder, StoredFile } from "#worker/files/contract.ts";
import { discardUpload, finishUpload, PART_SIZE, piecesOf, storePart } from "#worker/files/finish.ts";
import { objectKey } from "#worker/files/object-keys.ts";
import { openObject } from "#worker/files/open.ts";
import { notFound } from "#worker/files/queries.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { fileParts, files } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomId } from "#worker/platform/data/random.ts";

/** Files that the Worker itself brings from elsewhere: how large one is may not be known before its end. */

/** Who such a file is from. */
export const TRANSFER = "import";

/** Bytes of each part but the last. */
export const TRANSFER_PART = PART_SIZE;

type NewTransfer = { name: string; folder: FileFolder; id?: string };

/** Starts a transfer, whose parts follow. If the `id` exists, nothing is changed. */
export async function beginTransfer(ctx: Context, { name, folder, id = randomId() }: NewTransfer) {
  await ctx.db
    .insert(files)
    .values({
      id,
      // The bytes of the first part determine the type and with it the final key.
      key: await objectKey(folder, id, name, "upload"),
      folder,
      name,
      type: "",
      size: 0,
      partSize: TRANSFER_PART,
      status: "uploading",
      createdBy: TRANSFER,
      createdAt: ctx.clock(),
    })
    .onConflictDoNothing();
  return id;
}

export type Transfer = {
  id: string;
  isComplete: boolean;
  /** Parts 1…parts are stored, with so many bytes. */
  parts: number;
  received: number;
};

/** The progress of a transfer; null if it no longer exists. */
export async function readTransfer({ db }: Context, id: string): Promise<Transfer | null> {
  const [row] = await db
    .select({
      id: files.id,
      status: files.status,
      parts: db.$count(fileParts, eq(fileParts.fileId, id)),
      received: files.size,
    })
    .from(files)
    .where(eq(files.id, id));
  return row ? { id, isComplete: row.status === "complete", parts: row.parts, received: row.received } : null;
}

/**
 * Stores the next part; all but the last have the same size. Storing a part again replaces it.
 * @throws `unsupported_type`, `invalid` if the first bytes are of a type that the folder does not accept
 */
export async function storeTransferPart(
  ctx: Context,
  { id, number, bytes }: { id: string; number: number; bytes: Uint8Array<ArrayBuffer> },
) {
  const file = await requireRow(ctx, id);
  const opened = number === 1 ? await openObject(ctx, file, bytes) : file;
  const { etag } = await storePart(ctx, opened, { number, size: bytes.length, pieces: piecesOf(bytes) });
  const sum = sql`(select sum(${fileParts.size}) from ${fileParts} where ${fileParts.fileId} = ${id})`;
  await ctx.db.batch([
    ctx.db
      .insert(fileParts)
      .values({ fileId: id, number, etag, size: bytes.length })
      .onConflictDoUpdate({
        target: [fileParts.fileId, fileParts.number],
        set: { etag, size: bytes.length },
      }),
    ctx.db.update(files).set({ size: sum, lastPartAt: ctx.clock() }).where(eq(files.id, id)),
  ]);
}

/**
 * Joins the parts to one file and reads its metadata. Twice is once.
 * @throws `invalid` for a file that cannot be read
 */
export async function finishTransfer(ctx: Context, id: string): Promise<StoredFile> {
  const file = await requireRow(ctx, id);
  if (file.status === "uploading") await finishUpload(ctx, file);
  const stored = (await findStoredFiles(ctx, [id])).get(id);
  return stored ?? notFound();
}

/** Deletes the stored parts of an incomplete transfer. */
export async function dropTransfer(ctx: Context, id: string) {
  const [file] = await ctx.db.select().from(files).where(eq(files.id, id));
  if (file?.status === "uploading") await discardUpload(ctx, file);
}

async function requireRow({ db }: Context, id: string) {
  const [file] = await db.select().from(files).where(eq(files.id, id));
  return file ?? notFound();
}
