import { maxBytes, type FileFolder, type StoredFile } from "#worker/files/contract.ts";
import { storePicture } from "#worker/files/pictures/store-fetched-picture.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { ask, bytesOf, HostError } from "#worker/imports/feed/download.ts";
import type { Context } from "#worker/platform/context.ts";

/** Milliseconds that a picture has, once its host began to answer. */
const PATIENCE = 30_000;

type Wanted = {
  /** Derived from the picture's identity, so that it is stored once, even if two messages fetch it at the same time. */
  id: string;
  folder: FileFolder;
  alt?: string;
};

/**
 * Fetches a picture from another place into the file with this id, unless it exists. If it stays unused, it is swept.
 * @throws {HostError}; `unsupported_type`, `invalid` if it is not a picture
 */
export async function fetchPicture(
  ctx: Context,
  address: string,
  { id, folder, alt = "" }: Wanted,
): Promise<StoredFile> {
  const known = (await findStoredFiles(ctx, [id])).get(id);
  if (known) return known;
  const bytes = await read(ctx, address, maxBytes(folder) - 1);
  if (bytes.length === 0) throw new HostError("It’s empty.", { isTemporary: false });
  return storePicture(ctx, { id, name: nameOf(address), folder, alt, bytes });
}

async function read(ctx: Context, address: string, most: number) {
  const answer = await ask(ctx, address, { headers: { Accept: "image/*" } });
  return bytesOf(answer, most, PATIENCE);
}

/** The last word of an address; the bytes decide the ending. */
const nameOf = (address: string) =>
  URL.parse(address)?.pathname.split("/").at(-1)?.slice(0, 200) || "picture";
