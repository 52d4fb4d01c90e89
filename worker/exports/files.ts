import { createHash } from "node:crypto";
import {
  ARCHIVE_VERSION,
  FILES_CHANGED,
  FILES_FOLDER,
  FILES_MANIFEST,
  FilesPartQuery,
  type FilesManifest,
  type ListedObject,
} from "#worker/exports/contract.ts";
import {
  PERMIT_LASTS,
  permitFor,
  recordExport,
  requireExport,
  requireExporter,
  requirePermit,
} from "#worker/exports/require-export.ts";
import { bytesEntry, sizeInZip, storedZip, type StoredEntry } from "#worker/exports/stored-zip.ts";
import { isHashed, listedObjects, type HashedObject } from "#worker/files/hashes.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Bytes of a part, and files in it: what every program and file system takes. */
const PART_BYTES = 2_000_000_000;
const PART_FILES = 20_000;
/** On the free plan each file is one of the 50 requests of an invocation; finding them takes some 20. */
const FEW_PART_FILES = 25;

export type FilesPart = { number: number; files: number; bytes: number };

/** `set` is the same as long as the files are. `unread`: those without a hash, which the browser makes zips of. `permit`: for the parts. */
export type FilesParts = { set: string; permit: string; items: FilesPart[]; unread: ListedObject[] };

/**
 * The parts in which the files are exported, in the order of their keys.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `conflict` during a restore
 */
export async function listFilesParts(ctx: Context): Promise<FilesParts> {
  await requireExport(ctx);
  const { parts, unread, set } = await partsOf(ctx);
  return {
    set,
    permit: await permitFor(ctx, set),
    unread: unread.map(({ key, bytes, sha256, http, custom }) => ({ key, bytes, sha256, http, custom })),
    items: parts.map((objects, index) => ({
      number: index + 1,
      files: objects.length,
      bytes: zipOf(ctx, objects, index + 1, parts.length).size,
    })),
  };
}

/**
 * A part of a list as a zip. As long as its files are the same, so is each byte.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` without a permit of this session and hour, if the files are no longer
 * those of the list, or during a restore; `not_found`
 */
export async function openFilesPart(ctx: Context, number: number, query: FilesPartQuery) {
  requireExporter(ctx);
  const { set: wanted, permit } = parseInput(FilesPartQuery, query);
  await requirePermit(ctx, permit, wanted);
  const { parts, set } = await partsOf(ctx);
  if (set !== wanted) throw new AppError("conflict", FILES_CHANGED);
  const objects = parts[number - 1];
  if (!objects) throw new AppError("not_found", "There is no such part.");
  return { zip: zipOf(ctx, objects, number, parts.length), etag: `"${set}-${number}"` };
}

/**
 * Logs the download of a part. A later range continues one, unless none was begun: without its first byte a part is as good as
 * whole.
 */
export const recordFilesExport = (ctx: Context, number: number, { isContinued }: { isContinued: boolean }) =>
  recordExport(ctx, `Files, part ${number}`, isContinued ? PERMIT_LASTS * 1000 : undefined);

async function partsOf(ctx: Context) {
  const parts: HashedObject[][] = [];
  const mostFiles = ctx.config.plan === "free" ? FEW_PART_FILES : PART_FILES;
  let bytes = Infinity;
  const unread: ListedObject[] = [];
  for await (const object of listedObjects(ctx)) {
    if (!isHashed(object)) {
      unread.push(object);
      continue;
    }
    const size = sizeInZip(FILES_FOLDER + object.key, object.bytes);
    const last = parts.at(-1);
    if (last && bytes + size <= PART_BYTES && last.length < mostFiles) last.push(object);
    else {
      parts.push([object]);
      bytes = 0;
    }
    bytes += size;
  }
  const hash = createHash("sha256").update(JSON.stringify([ctx.config.siteUrl, parts, unread]));
  return { parts, unread, set: hash.digest("hex").slice(0, 32) };
}

function zipOf(ctx: Context, objects: readonly HashedObject[], part: number, of: number) {
  const manifest: FilesManifest = {
    format: "rostrum-files",
    version: ARCHIVE_VERSION,
    site: ctx.config.siteUrl,
    part,
    of,
    objects: objects.map(({ key, bytes, sha256, http, custom }) => ({ key, bytes, sha256, http, custom })),
  };
  return storedZip([
    bytesEntry(FILES_MANIFEST, new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`)),
    ...objects.map((object) => entryOf(ctx, object)),
  ]);
}

const entryOf = ({ media }: Context, { key, bytes, crc32 }: HashedObject): StoredEntry => ({
  name: FILES_FOLDER + key,
  size: bytes,
  crc32,
  async read(offset, length) {
    const object = await media.get(key, { range: { offset, length } });
    if (!object) throw new Error(`${key} was deleted while it was exported.`);
    return object.body;
  },
});
