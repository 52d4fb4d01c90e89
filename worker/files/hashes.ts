import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { and, asc, eq, lt, lte, notExists, sql } from "drizzle-orm";
import { folders } from "#worker/files/contract.ts";
import { keysOf, storedColumns } from "#worker/files/pictures/picture.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import { files, objectHashes } from "#worker/files/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * The hashes of stored objects, for archives. An object never changes under its key, so that each is read once: by the
 * minute's tick, and otherwise when an archive is made.
 */

/** Milliseconds after its upload in which a file's copies are made. */
const COPIES_MS = 3_600_000;
/** Bytes that a tick reads before it leaves the rest to the next one. */
const BYTES_A_TICK = 200_000_000;
const FILES_A_TICK = 20;

/**
 * Bytes of the largest file that is read to be hashed on the free plan: it takes some 3 of an invocation's 10 ms. Larger
 * ones have no hash there: no API of Workers continues a hash in the next invocation.
 */
export const MOST_HASHED_FREE = 2_000_000;
const mayHash = ({ config }: Context, bytes: number) => config.plan !== "free" || bytes <= MOST_HASHED_FREE;

/** The hashes are null if they are unknown, and the file too large to be read. */
export type ListedObject = {
  key: string;
  bytes: number;
  sha256: string | null;
  crc32: number | null;
  http: Record<string, string>;
  custom: Record<string, string>;
};
export type HashedObject = ListedObject & { sha256: string; crc32: number };

export const isHashed = (object: ListedObject): object is HashedObject =>
  object.sha256 !== null && object.crc32 !== null;

/**
 * The published objects in the order of their keys: the files, and the copies that were made of them. On the free plan none is
 * read, and an unknown hash is null.
 */
export async function* listedObjects(ctx: Context): AsyncGenerator<ListedObject> {
  const mostRead = ctx.config.plan === "free" ? 0 : Infinity;
  for (let after: string | null = null; ;) {
    const { listed, next }: ListedPage = await listPage(ctx, after);
    for await (const { object } of withHashes(ctx, listed, mostRead)) yield object;
    if (next === null) return;
    after = next;
  }
}

/**
 * The next of them, as many at most; on the free plan the page ends after one that was read. `after` is the previous page's
 * `next`.
 * @throws `invalid`
 */
export async function listedPage(ctx: Context, after: string | null, limit: number) {
  const { listed, next } = await listPage(ctx, after, limit);
  const isFree = ctx.config.plan === "free";
  const objects: ListedObject[] = [];
  for await (const { object, wasRead } of withHashes(ctx, listed, isFree ? MOST_HASHED_FREE : Infinity)) {
    objects.push(object);
    if (isFree && wasRead && object.key !== listed.at(-1)!.key) return { objects, next: object.key };
  }
  return { objects, next };
}

type ListedPage = { listed: R2Object[]; next: string | null };

/** `after` is a key, or a folder with its slash. */
async function listPage({ media }: Context, after: string | null, limit = 1000): Promise<ListedPage> {
  const names = Object.keys(folders).toSorted();
  const name = after === null ? names[0]! : after.slice(0, after.indexOf("/"));
  if (!names.includes(name)) throw new AppError("invalid", "There is no such folder.", { field: "after" });
  const { objects: listed, truncated } = await media.list({
    prefix: `${name}/`,
    startAfter: after ?? undefined,
    limit,
    include: ["httpMetadata", "customMetadata"],
  });
  const nextFolder = names[names.indexOf(name) + 1];
  const last = truncated ? listed.at(-1)?.key : undefined;
  return { listed, next: last ?? (nextFolder === undefined ? null : `${nextFolder}/`) };
}

/** `mostRead`: bytes of the largest object that is read for its hashes. */
async function* withHashes(
  ctx: Context,
  objects: R2Object[],
  mostRead: number,
): AsyncGenerator<{ object: ListedObject; wasRead: boolean }> {
  const known = await readHashes(
    ctx,
    objects.map(({ key }) => key),
  );
  for (const { key, etag, size, httpMetadata = {}, customMetadata: custom = {} } of objects) {
    const row = known.get(key);
    // Its file is deleted, or in the bin.
    if (row === undefined) continue;
    const isKnown = row?.etag === etag;
    const wasRead = !isKnown && size <= mostRead;
    const hashes = isKnown ? row : wasRead ? await hashObject(ctx, key) : { sha256: null, crc32: null };
    // Deleted since it was listed.
    if (hashes === null) continue;
    const { sha256, crc32: crc } = hashes;
    const { cacheExpiry: _, ...http } = httpMetadata;
    yield { object: { key, bytes: size, sha256, crc32: crc, http, custom }, wasRead };
  }
}

/** The keys whose files exist, with the hashes that are known; null for those that are not. */
async function readHashes({ db }: Context, keys: string[]) {
  const asked = JSON.stringify(keys.map((key) => [key, fileIdOf(key)]));
  const rows = await db
    .select({ key: sql<string>`value ->> 0`, hashes: objectHashes })
    .from(sql`json_each(${asked})`)
    .innerJoin(files, sql`${files.id} = value ->> 1`)
    .leftJoin(objectHashes, sql`${objectHashes.key} = value ->> 0`);
  return new Map(rows.map(({ key, hashes }) => [key, hashes]));
}

/**
 * Compares a stored object with its size and hash elsewhere. `sameSize`: one of its hashes is unknown. `read`: the bytes that
 * were read for it.
 */
export async function compareObject(
  ctx: Context,
  { key, bytes, sha256 }: Pick<ListedObject, "key" | "bytes" | "sha256">,
): Promise<{ is: "same" | "sameSize" | "different" | "missing"; read: number }> {
  const [head, [row]] = await Promise.all([
    ctx.media.head(key),
    ctx.db.select().from(objectHashes).where(eq(objectHashes.key, key)),
  ]);
  if (head === null) return { is: "missing", read: 0 };
  if (head.size !== bytes) return { is: "different", read: 0 };
  const isKnown = row?.etag === head.etag;
  if (sha256 === null || (!isKnown && !mayHash(ctx, bytes))) return { is: "sameSize", read: 0 };
  const hashes = isKnown ? row : await hashObject(ctx, key);
  return { is: hashes?.sha256 === sha256 ? "same" : "different", read: isKnown ? 0 : bytes };
}

async function hashObject(ctx: Context, key: string) {
  const object = await ctx.media.get(key);
  if (!object) return null;
  const hash = createHash("sha256");
  let crc = 0;
  for await (const bytes of object.body) {
    hash.update(bytes);
    crc = crc32(bytes, crc);
  }
  const row = { key, etag: object.etag, sha256: hash.digest("hex"), crc32: crc };
  await ctx.db.insert(objectHashes).values(row).onConflictDoUpdate({ target: objectHashes.key, set: row });
  return row;
}

/** Stores the hash of a file, unless it is known, or the file too large to be read. Whether it did. */
export async function hashFile(ctx: Context, key: string) {
  const [[known], head] = await Promise.all([
    ctx.db.select({ etag: objectHashes.etag }).from(objectHashes).where(eq(objectHashes.key, key)),
    ctx.media.head(key),
  ]);
  if (head === null || known?.etag === head.etag || !mayHash(ctx, head.size)) return false;
  return (await hashObject(ctx, key)) !== null;
}

function selectUnhashed({ db, now, config }: Context, limit: number) {
  const hashed = db
    .select({ key: objectHashes.key })
    .from(objectHashes)
    .where(eq(objectHashes.key, files.key));
  const isOld = lt(files.completedAt, new Date(now.getTime() - COPIES_MS));
  const isHashable = config.plan === "free" ? lte(files.size, MOST_HASHED_FREE) : undefined;
  return db
    .select({ size: files.size, ...storedColumns(files) })
    .from(files)
    .where(and(eq(files.status, "complete"), isOld, isHashable, notExists(hashed)))
    .orderBy(asc(files.number))
    .limit(limit);
}

/** Whether `hashFiles` has anything to do. */
export const hasUnhashedFiles = async (ctx: Context) => (await selectUnhashed(ctx, 1)).length > 0;

/** Stores the hashes of files that have none, on the free plan of one. */
export async function hashFiles(ctx: Context) {
  const rows = await selectUnhashed(ctx, ctx.config.plan === "free" ? 1 : FILES_A_TICK);
  let bytes = 0;
  for (const row of rows) {
    // Last itself, by which it is known as done.
    for (const key of keysOf(row).toReversed()) await hashObject(ctx, key);
    bytes += row.size;
    if (bytes > BYTES_A_TICK) return true;
  }
  return rows.length > 0;
}
