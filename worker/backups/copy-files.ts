import { and, gt, lte, sql, type SQL } from "drizzle-orm";
import type { FileLine } from "#worker/backups/contract.ts";
import { FILE_PIECE, fileHash, sha256 } from "#worker/backups/digests.ts";
import { FILES, readRange } from "#worker/backups/store.ts";
import { backupFiles } from "#worker/backups/table.ts";
import { isPublished } from "#worker/files/object-keys.ts";
import type { Context } from "#worker/platform/context.ts";
import { logError } from "#worker/platform/log.ts";

/** Files of a page of the bucket's list. */
const PAGE = 500;
const SMALL_PAGE = 200;
/** New files of one step: each takes four requests, and an invocation of the free plan has 50. */
const NEW_FILES = 25;
const FEW_NEW_FILES = 8;
/** Bytes of small files that are copied in one step. */
const STEP_BYTES = 32 * 1024 * 1024;

/** Where copying continues: after this key, or within this file. */
export type FilesPosition = { after: string; open: OpenFile | null };

/** A file of several pieces of which some are copied. `uploadId` is null if the bucket has the file already. */
type OpenFile = {
  key: string;
  bytes: number;
  uploadId: string | null;
  parts: (R2UploadedPart | null)[];
  hashes: string[];
};

/** After every key. */
const LAST = "\u{10ffff}";

export const firstFile: FilesPosition = { after: "", open: null };

/**
 * Copies the next files that the bucket of copies lacks, each under its own key. Returns the lines of the files that the
 * copy has so far passed, and where to continue; null at the end.
 */
export async function copyFiles(
  ctx: Context,
  { number, after, open }: FilesPosition & { number: number },
): Promise<{ lines: FileLine[]; next: FilesPosition | null }> {
  if (open) return copyPieces(ctx, number, after, open);
  const isFree = ctx.config.plan === "free";
  const page = await ctx.media.list({ startAfter: after || undefined, limit: isFree ? SMALL_PAGE : PAGE });
  const objects = page.objects.filter(({ key }) => isPublished(key));
  const known = await findKnown(
    ctx,
    objects.map(({ key }) => key),
  );
  const lines: FileLine[] = [];
  const copied: FileLine[] = [];
  const old: FileLine[] = [];
  let last = after;
  const most = isFree ? FEW_NEW_FILES : NEW_FILES;
  let left = isFree ? FILE_PIECE : STEP_BYTES;
  let next: FilesPosition | null = null;
  for (const { key, size } of objects) {
    let line = known.get(key);
    if (!line) {
      if (left < Math.min(size, FILE_PIECE) || copied.length + old.length === most) {
        next = { after: last, open: null };
        break;
      }
      left -= size;
      if (size > FILE_PIECE) {
        next = { after: last, open: await openFile(ctx, key, size) };
        break;
      }
      const found = await copySmall(ctx, key, size);
      // Deleted since it was listed.
      if (!found) continue;
      line = found.line;
      (found.isOld ? old : copied).push(line);
    }
    lines.push(line);
    last = key;
  }
  if (!next) {
    last = page.truncated ? page.objects.at(-1)!.key : LAST;
    next = page.truncated ? { after: last, open: null } : null;
  }
  const passed = { after, upTo: last, keys: lines.map(({ key }) => key) };
  await ctx.db.batch([
    remember(ctx, number, copied),
    remember(ctx, 0, old),
    ...markGone(ctx, number, passed),
  ]);
  return { lines, next };
}

async function findKnown({ db }: Context, keys: string[]) {
  const { key, bytes, sha256: hash, etag } = backupFiles;
  const rows = await db
    .select({ key, bytes, sha256: hash, etag })
    .from(backupFiles)
    .where(sql`${key} in (select value from json_each(${JSON.stringify(keys)}))`);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Null if it was deleted. `isOld`: the bucket has it, although the database does not know: it may be an older one. */
async function copySmall(ctx: Context, key: string, bytes: number) {
  const bucket = ctx.backup!;
  const there = await bucket.head(FILES + key);
  const isOld = there?.size === bytes;
  const content = await readRange(isOld ? bucket : ctx.media, (isOld ? FILES : "") + key, 0, bytes);
  if (!content) return null;
  const hash = await sha256(content);
  // R2 refuses the object if its bytes have another hash.
  const { etag } = isOld ? there! : await bucket.put(FILES + key, content, { sha256: hash });
  return { isOld, line: { key, bytes, sha256: hash, etag } };
}

async function openFile(ctx: Context, key: string, bytes: number): Promise<OpenFile> {
  const there = await ctx.backup!.head(FILES + key);
  const uploadId =
    there?.size === bytes ? null : (await ctx.backup!.createMultipartUpload(FILES + key)).uploadId;
  return { key, bytes, uploadId, parts: [], hashes: [] };
}

async function copyPieces(ctx: Context, number: number, after: string, open: OpenFile) {
  const bucket = ctx.backup!;
  const { key, bytes, uploadId, hashes } = open;
  const at = hashes.length;
  const upload = uploadId === null ? null : bucket.resumeMultipartUpload(FILES + key, uploadId);
  const offset = at * FILE_PIECE;
  const length = Math.min(FILE_PIECE, bytes - offset);
  const content = await readRange(upload ? ctx.media : bucket, (upload ? "" : FILES) + key, offset, length);
  if (!content) {
    // Deleted since it was listed. R2 itself ends an upload after a week.
    await upload?.abort().catch((error: unknown) => logError(`backups: the upload of ${key}`, error));
    return { lines: [], next: { after: key, open: null } };
  }
  const isLast = offset + length === bytes;
  // A step that was interrupted may have completed the upload, which takes no more parts.
  const isComplete = isLast && (await storedEtag(ctx, open)) !== null;
  const part = upload && !isComplete ? await upload.uploadPart(at + 1, content) : null;
  const file = { ...open, parts: [...open.parts, part], hashes: [...hashes, await sha256(content)] };
  if (!isLast) return { lines: [], next: { after, open: file } };
  if (upload && !isComplete) await upload.complete(file.parts as R2UploadedPart[]);
  const etag = await storedEtag(ctx, open);
  if (etag === null) throw new Error(`The copy of ${key} is missing.`);
  const line = { key, bytes, sha256: await fileHash(file.hashes), etag };
  await remember(ctx, upload ? number : 0, [line]);
  // The next step passes it as a known one.
  return { lines: [], next: { after, open: null } };
}

/** The etag of the whole file in the bucket of copies; null if it is missing there. */
async function storedEtag({ backup }: Context, { key, bytes }: OpenFile) {
  const found = await backup!.head(FILES + key);
  return found?.size === bytes ? found.etag : null;
}

function remember({ db }: Context, firstCopy: number, lines: FileLine[]) {
  return db
    .insert(backupFiles)
    .select(
      sql`select value ->> 'key', value ->> 'bytes', value ->> 'sha256', value ->> 'etag', ${firstCopy}, null
        from json_each(${JSON.stringify(lines)}) where true`,
    )
    .onConflictDoNothing();
}

type Passed = { after: string; upTo: string; keys: string[] };

/** The statements that note which files of this part of the list are missing, or are back. */
function markGone({ db }: Context, number: number, { after, upTo, keys }: Passed) {
  const isHere = and(gt(backupFiles.key, after), lte(backupFiles.key, upTo));
  const isListed = sql`${backupFiles.key} in (select value from json_each(${JSON.stringify(keys)}))`;
  const update = (goneCopy: number | null, which: SQL) =>
    db.update(backupFiles).set({ goneCopy }).where(and(isHere, which));
  return [
    update(number, sql`${backupFiles.goneCopy} is null and not ${isListed}`),
    update(null, sql`${backupFiles.goneCopy} is not null and ${isListed}`),
  ] as const;
}
