import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { and, asc, eq, lt, notExists, sql } from "drizzle-orm";
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

export type HashedObject = {
  key: string;
  bytes: number;
  sha256: string;
  crc32: number;
  http: Record<string, string>;
  custom: Record<string, string>;
};

/** The published objects in the order of their keys: the files, and the copies that were made of them. */
export async function* hashedObjects(ctx: Context): AsyncGenerator<HashedObject> {
  for (let after: string | null = null; ;) {
    const { listed, next }: ListedPage = await listPage(ctx, after);
    yield* withHashes(ctx, listed);
    if (next === null) return;
    after = next;
  }
}

/**
 * The next of them, as many at most. `after` is the previous page's `next`.
 * @throws `invalid`
 */
export async function hashedPage(ctx: Context, after: string | null, limit: number) {
  const { listed, next } = await listPage(ctx, after, limit);
  return { objects: await Array.fromAsync(withHashes(ctx, listed)), next };
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

async function* withHashes(ctx: Context, objects: R2Object[]) {
  const known = await readHashes(
    ctx,
    objects.map(({ key }) => key),
  );
  for (const { key, etag, size, httpMetadata = {}, customMetadata: custom = {} } of objects) {
    const row = known.get(key);
    // Its file is deleted, or in the bin.
    if (row === undefined) continue;
    const hashes = row?.etag === etag ? row : await hashObject(ctx, key);
    // Deleted since it was listed.
    if (hashes === null) continue;
    const { sha256, crc32: crc } = hashes;
    const { cacheExpiry: _, ...http } = httpMetadata;
    yield { key, bytes: size, sha256, crc32: crc, http, custom };
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

/** The SHA-256 of an object; null if it is missing. */
export async function hashOf(ctx: Context, key: string) {
  const [head, [row]] = await Promise.all([
    ctx.media.head(key),
    ctx.db.select().from(objectHashes).where(eq(objectHashes.key, key)),
  ]);
  const hashes = head && row?.etag === head.etag ? row : await hashObject(ctx, key);
  return hashes?.sha256 ?? null;
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

function selectUnhashed({ db, now }: Context, limit: number) {
  const hashed = db
    .select({ key: objectHashes.key })
    .from(objectHashes)
    .where(eq(objectHashes.key, files.key));
  const isOld = lt(files.completedAt, new Date(now.getTime() - COPIES_MS));
  return db
    .select({ size: files.size, ...storedColumns(files) })
    .from(files)
    .where(and(eq(files.status, "complete"), isOld, notExists(hashed)))
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
