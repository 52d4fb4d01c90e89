import { and, eq, gt, lte, ne, sql, type SQL } from "drizzle-orm";
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
/** New files of one step: each takes four requests or five, and an invocation of the free plan has 50. */
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
  /** The etag of the object of the same size that the upload replaces, since it has other bytes. */
  replaces: string | null;
  parts: (R2UploadedPart | null)[];
  hashes: string[];
};

/** After every key. */
const LAST = "\u{10ffff}";

export const firstFile: FilesPosition = { after: "", open: null };

type Pass = FilesPosition & {
  number: number;
  /** The first copy without the files that the site has deleted: this one, or the next. */
  goneFrom: number;
};

/**
 * Copies the next files that the bucket of copies lacks, each under its own key. Returns the lines of the files that the
 * copy names in this part of the list, and where to continue; null at the end.
 */
export async function copyFiles(
  ctx: Context,
  { number, goneFrom, after, open }: Pass,
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
    ...markGone(ctx, goneFrom, passed),
  ]);
  const deleted = goneFrom > number ? await findDeleted(ctx, goneFrom, passed) : [];
  return { lines: [...lines, ...deleted].toSorted((a, b) => (a.key < b.key ? -1 : 1)), next };
}

const lineColumns = {
  key: backupFiles.key,
  bytes: backupFiles.bytes,
  sha256: backupFiles.sha256,
  etag: backupFiles.etag,
};

/** The files of this part of the list that were deleted during this copy. */
const findDeleted = ({ db }: Context, goneFrom: number, { after, upTo }: Passed) =>
  db
    .select(lineColumns)
    .from(backupFiles)
    .where(and(isBetween(after, upTo), eq(backupFiles.goneCopy, goneFrom), ne(backupFiles.etag, DAMAGED)));

async function findKnown({ db }: Context, keys: string[]) {
  const rows = await db
    .select(lineColumns)
    .from(backupFiles)
    .where(and(isAmong(keys), ne(backupFiles.etag, DAMAGED)));
  return new Map(rows.map((row) => [row.key, row]));
}

/** The etag of a file whose object was found damaged or missing. It is stored again. */
const DAMAGED = "";

export const markDamaged = ({ db }: Context, keys: string[]) =>
  db.update(backupFiles).set({ etag: DAMAGED }).where(isAmong(keys));

const isAmong = (keys: string[]) =>
  sql`${backupFiles.key} in (select value from json_each(${JSON.stringify(keys)}))`;

const isBetween = (after: string, upTo: string) =>
  and(gt(backupFiles.key, after), lte(backupFiles.key, upTo));

/**
 * Null if it was deleted. `isOld`: the bucket has it, although the database does not know: earlier copies may name it.
 */
async function copySmall(ctx: Context, key: string, bytes: number) {
  const bucket = ctx.backup!;
  const content = await readRange(ctx.media, key, 0, bytes);
  if (!content) return null;
  const hash = await sha256(content);
  const there = await bucket.head(FILES + key);
  const isOld = there?.size === bytes && (await hasHash(bucket, FILES + key, bytes, hash));
  // R2 refuses the object if its bytes have another hash.
  const { etag } = isOld ? there! : await bucket.put(FILES + key, content, { sha256: hash });
  return { isOld, line: { key, bytes, sha256: hash, etag } };
}

async function hasHash(bucket: R2Bucket, key: string, length: number, hash: string, offset = 0) {
  const content = await readRange(bucket, key, offset, length);
  return content !== null && (await sha256(content)) === hash;
}

async function openFile(ctx: Context, key: string, bytes: number): Promise<OpenFile> {
  const there = await ctx.backup!.head(FILES + key);
  if (there?.size !== bytes) return startUpload(ctx, key, bytes, null);
  return { key, bytes, uploadId: null, replaces: null, parts: [], hashes: [] };
}

async function startUpload(
  ctx: Context,
  key: string,
  bytes: number,
  replaces: string | null,
): Promise<OpenFile> {
  const { uploadId } = await ctx.backup!.createMultipartUpload(FILES + key);
  return { key, bytes, uploadId, replaces, parts: [], hashes: [] };
}

async function copyPieces(ctx: Context, number: number, after: string, open: OpenFile) {
  const bucket = ctx.backup!;
  const { key, bytes, uploadId, hashes } = open;
  const at = hashes.length;
  const upload = uploadId === null ? null : bucket.resumeMultipartUpload(FILES + key, uploadId);
  const offset = at * FILE_PIECE;
  const length = Math.min(FILE_PIECE, bytes - offset);
  const content = await readRange(ctx.media, key, offset, length);
  if (!content) {
    // Deleted since it was listed. R2 itself ends an upload after a week.
    await upload?.abort().catch((error: unknown) => logError(`backups: the upload of ${key}`, error));
    return { lines: [], next: { after: key, open: null } };
  }
  const hash = await sha256(content);
  // The bucket has another file under this key.
  if (!upload && !(await hasHash(bucket, FILES + key, length, hash, offset)))
    return {
      lines: [],
      next: { after, open: await startUpload(ctx, key, bytes, await storedEtag(ctx, open)) },
    };
  const isLast = offset + length === bytes;
  // A step that was interrupted may have completed the upload, which takes no more parts.
  const isComplete = isLast && (await storedEtag(ctx, open)) !== null;
  const part = upload && !isComplete ? await upload.uploadPart(at + 1, content) : null;
  const file = { ...open, parts: [...open.parts, part], hashes: [...hashes, hash] };
  if (!isLast) return { lines: [], next: { after, open: file } };
  if (upload && !isComplete) await upload.complete(file.parts as R2UploadedPart[]);
  const etag = await storedEtag(ctx, open);
  if (etag === null) throw new Error(`The copy of ${key} is missing.`);
  const line = { key, bytes, sha256: await fileHash(file.hashes), etag };
  await remember(ctx, upload ? number : 0, [line]);
  // The next step passes it as a known one.
  return { lines: [], next: { after, open: null } };
}

/** The etag of the whole file in the bucket of copies; null if it is missing there, or still to be replaced. */
async function storedEtag({ backup }: Context, { key, bytes, replaces }: OpenFile) {
  const found = await backup!.head(FILES + key);
  return found?.size === bytes && found.etag !== replaces ? found.etag : null;
}

function remember({ db }: Context, firstCopy: number, lines: FileLine[]) {
  return db
    .insert(backupFiles)
    .select(
      sql`select value ->> 'key', value ->> 'bytes', value ->> 'sha256', value ->> 'etag', ${firstCopy}, null
        from json_each(${JSON.stringify(lines)}) where true`,
    )
    .onConflictDoUpdate({
      target: backupFiles.key,
      set: { bytes: sql`excluded.bytes`, sha256: sql`excluded.sha256`, etag: sql`excluded.etag` },
    });
}

type Passed = { after: string; upTo: string; keys: string[] };

/** The statements that note which files of this part of the list are missing, or are back. */
function markGone({ db }: Context, number: number, { after, upTo, keys }: Passed) {
  const isListed = isAmong(keys);
  const update = (goneCopy: number | null, which: SQL) =>
    db
      .update(backupFiles)
      .set({ goneCopy })
      .where(and(isBetween(after, upTo), which));
  return [
    update(number, sql`${backupFiles.goneCopy} is null and not ${isListed}`),
    update(null, sql`${backupFiles.goneCopy} is not null and ${isListed}`),
  ] as const;
}
