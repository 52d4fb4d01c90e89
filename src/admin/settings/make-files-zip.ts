import { ApiError, ensureOk } from "#site/api.ts";
import {
  ARCHIVE_VERSION,
  FILES_CHANGED,
  FILES_FOLDER,
  FILES_MANIFEST,
  type ArchivedObject,
  type FilesManifest,
  type ListedObject,
} from "#worker/exports/contract.ts";
import { sha256Of } from "../moving-in/sha256.ts";
import { ZipRefused, type Tools } from "./make-zip.tsx";

/** Bytes and files of a zip that the browser makes; a larger file is one alone. */
const MOST_BYTES = 200_000_000;
const MOST_FILES = 25;

/** The files whose hashes the site does not have, as zips. */
export function groupsOf(files: readonly ListedObject[]) {
  const groups: ListedObject[][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = groups.at(-1);
    if (last && last.length < MOST_FILES && bytes + file.bytes <= MOST_BYTES) last.push(file);
    else {
      groups.push([file]);
      bytes = 0;
    }
    bytes += file.bytes;
  }
  return groups;
}

type Part = Pick<FilesManifest, "site" | "part" | "of"> & { files: readonly ListedObject[] };

/** A part that a restore reads like those of the site. Its hashes are computed here. */
export async function makeFilesZip(
  { files, ...part }: Part,
  { signal, until, onPart }: Tools,
): Promise<Blob> {
  const { BlobReader, BlobWriter, TextReader, ZipWriter } =
    await import("@zip.js/zip.js/lib/zip-core-native.js");
  const zip = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false, level: 0 });
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const objects: ArchivedObject[] = [];
  let read = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const bytes = await until(() => readStored(file, signal));
    await zip.add(FILES_FOLDER + file.key, new BlobReader(new Blob([bytes])));
    objects.push({ ...file, sha256: await sha256Of(bytes) });
    read += file.bytes;
    onPart(total === 0 ? 1 : read / total);
  }
  const manifest: FilesManifest = { format: "rostrum-files", version: ARCHIVE_VERSION, ...part, objects };
  await zip.add(FILES_MANIFEST, new TextReader(`${JSON.stringify(manifest, null, 1)}\n`));
  return zip.close();
}

/** With `former`, a recording that was replaced is served, too, and no download is counted. */
async function readStored({ key, bytes }: ListedObject, signal: AbortSignal) {
  const path = key.split("/").map(encodeURIComponent).join("/");
  try {
    const response = await ensureOk(fetch(`/media/${path}?former`, { signal, cache: "no-store" }));
    const read = new Uint8Array(await response.arrayBuffer());
    if (read.length !== bytes) throw new ZipRefused(FILES_CHANGED);
    return read;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new ZipRefused(FILES_CHANGED);
    throw error;
  }
}
