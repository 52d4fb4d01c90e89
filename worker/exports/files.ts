import { createHash } from "node:crypto";
import { PROOF_LASTS_FOR_PARTS, requireUser } from "#worker/access/capabilities.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { ARCHIVE_VERSION, FILES_MANIFEST, type FilesManifest } from "#worker/exports/contract.ts";
import { requireExport } from "#worker/exports/require-export.ts";
import { bytesEntry, sizeInZip, storedZip, type StoredEntry } from "#worker/exports/stored-zip.ts";
import { isHashed, listedObjects, type HashedObject } from "#worker/files/hashes.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Bytes of a part, and files in it: what every program and file system takes. */
const PART_BYTES = 2_000_000_000;
const PART_FILES = 20_000;
/** On the free plan each file is one of the 50 requests of an invocation; finding them takes some 20. */
const FEW_PART_FILES = 25;
const FOLDER = "files/";

export type FilesPart = { number: number; files: number; bytes: number };

/**
 * The parts in which the files are exported, in the order of their keys. `leftOut`: the files without a hash, which a zip needs.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listFilesParts(ctx: Context): Promise<{ items: FilesPart[]; leftOut: number }> {
  requireExport(ctx);
  const { parts, leftOut } = await partsOf(ctx);
  return {
    leftOut,
    items: parts.map((objects, index) => ({
      number: index + 1,
      files: objects.length,
      bytes: zipOf(ctx, objects, index + 1, parts.length).size,
    })),
  };
}

/**
 * A part as a zip. Its ETag is that of the list of its files: as long as that is the same, so is each byte.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function openFilesPart(ctx: Context, number: number) {
  requireExport(ctx, PROOF_LASTS_FOR_PARTS);
  const { parts } = await partsOf(ctx);
  const objects = parts[number - 1];
  if (!objects) throw new AppError("not_found", "There is no such part.");
  const hash = createHash("sha256");
  hash.update(JSON.stringify([parts.length, number, ctx.config.siteUrl, objects]));
  return { zip: zipOf(ctx, objects, number, parts.length), etag: `"${hash.digest("hex").slice(0, 32)}"` };
}

/** Once for each part, whatever ranges of it are read. */
export const recordFilesExport = async (ctx: Context, number: number) =>
  void (await eventRow(ctx, {
    kind: "site_exported",
    email: requireUser(ctx).email,
    detail: `Files, part ${number}`,
  }));

async function partsOf(ctx: Context) {
  const parts: HashedObject[][] = [];
  const mostFiles = ctx.config.plan === "free" ? FEW_PART_FILES : PART_FILES;
  let bytes = Infinity;
  let leftOut = 0;
  for await (const object of listedObjects(ctx)) {
    if (!isHashed(object)) {
      leftOut++;
      continue;
    }
    const size = sizeInZip(FOLDER + object.key, object.bytes);
    const last = parts.at(-1);
    if (last && bytes + size <= PART_BYTES && last.length < mostFiles) last.push(object);
    else {
      parts.push([object]);
      bytes = 0;
    }
    bytes += size;
  }
  return { parts, leftOut };
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
  name: FOLDER + key,
  size: bytes,
  crc32,
  async read(offset, length) {
    const object = await media.get(key, { range: { offset, length } });
    if (!object) throw new Error(`${key} was deleted while it was exported.`);
    return object.body;
  },
});
