import {
  BadArchive,
  FILES_FOLDER,
  FILES_MANIFEST,
  MANIFEST,
  MOST_MANIFEST,
  MOST_ROW,
  readFilesManifest,
  readManifest,
  type ArchivedObject,
  type FilesManifest,
  type Manifest,
} from "#worker/exports/contract.ts";
import { OBJECTS_A_PIECE, PIECE_BYTES } from "#worker/restores/contract.ts";
import { sha256Of } from "../moving-in/sha256.ts";
import { BadFile, openZip, type Zip } from "../moving-in/zip.ts";

/** The archive of a site, as the browser and `npm run restore` read it. */

/** Bytes of all files of a zip, unpacked. */
const MOST_IN_ALL = 2 * 0xffff_ffff;
/** Bytes of the list of a zip of stored files. */
const MOST_FILES_MANIFEST = 50_000_000;

/** A piece of a file of rows: whole lines. `number` counts the pieces of all files from 1. */
export type Piece = { file: string; number: number; text: string };

export type Archive = {
  manifest: Manifest;
  /**
   * Reads each file of rows and compares it with the manifest. `onRead` gets the bytes of each.
   * @throws {BadArchive}
   */
  check: (onRead?: (bytes: number) => void) => Promise<void>;
  /** The pieces in the order in which they are restored. */
  pieces: () => AsyncGenerator<Piece>;
  close: () => Promise<void>;
};

const BROKEN_OFF =
  "This file isn’t a whole zip. If the download broke off, download the archive again; otherwise choose the file exactly as it was exported.";

const openWhole = (file: Blob) =>
  openZip(file, MOST_IN_ALL).catch((error: unknown) => {
    throw new BadArchive(isOutside(error) ? error.message : BROKEN_OFF);
  });

/** @throws {BadArchive} */
export const openArchive = async (file: Blob) => archiveIn(await openWhole(file));

/** Closes the zip if it is no archive. */
async function archiveIn(zip: Zip): Promise<Archive> {
  try {
    const manifest = readManifest(await textOf(zip, MANIFEST), zip.names);
    const files = requireFiles(zip, manifest);
    return {
      manifest,
      async check(onRead) {
        for (const listed of files) {
          await readListed(zip, listed);
          onRead?.(listed.bytes);
        }
      },
      pieces: () => piecesOf(zip, manifest, files),
      close: zip.close,
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

/** A zip of stored files. `read` returns one, compared with its hash. */
export type FilesArchive = {
  manifest: FilesManifest;
  read: (object: ArchivedObject) => Promise<Blob>;
  close: () => Promise<void>;
};

/** @throws {BadArchive} */
export const openFilesArchive = async (file: Blob) => filesArchiveIn(await openWhole(file));

/** Closes the zip if it is none of stored files. */
async function filesArchiveIn(zip: Zip): Promise<FilesArchive> {
  try {
    const manifest = readFilesManifest(await textOf(zip, FILES_MANIFEST, MOST_FILES_MANIFEST));
    requireDeclared(zip, manifest);
    return {
      manifest,
      async read({ key, bytes, sha256 }) {
        const blob = await unpack(zip, FILES_FOLDER + key, bytes);
        if (blob.size !== bytes || (await sha256Of(new Uint8Array(await blob.arrayBuffer()))) !== sha256)
          throw new BadArchive(`“${key}” isn’t the file that the archive names: it was changed or damaged.`);
        return blob;
      },
      close: zip.close,
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

/** Whichever of the two it is. @throws {BadArchive} */
export async function openArchiveOrFiles(file: Blob): Promise<Archive | FilesArchive> {
  const zip = await openWhole(file);
  return zip.names.includes(FILES_MANIFEST) ? filesArchiveIn(zip) : archiveIn(zip);
}

/** @throws {BadArchive} if the zip has other files than it declares */
function requireDeclared(zip: Zip, { objects }: FilesManifest) {
  const declared = new Set([FILES_MANIFEST, ...objects.map(({ key }) => FILES_FOLDER + key)]);
  const names = new Set(zip.names);
  const missing = [...declared].find((name) => !names.has(name));
  if (missing !== undefined)
    throw new BadArchive(`The archive isn’t whole: “${missing}” is missing. Download it again.`);
  const undeclared = zip.names.find((name) => !declared.has(name));
  if (undeclared !== undefined)
    throw new BadArchive(`The archive has a file that its list doesn’t name: “${undeclared}”.`);
}

const isOutside = (error: unknown): error is BadFile =>
  error instanceof BadFile && error.message.includes("points outside");

async function textOf(zip: Zip, name: string, most = MOST_MANIFEST) {
  if (!zip.names.includes(name)) return null;
  return (await unpack(zip, name, most)).text();
}

async function unpack(zip: Zip, name: string, most: number) {
  try {
    return await zip.unpack(name, most);
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    throw new BadArchive(`“${name}” in the archive can’t be read, or is larger than its manifest says.`);
  }
}

type Listed = Manifest["objects"] | Manifest["tables"][number];

/** @throws {BadArchive} if the zip has other files of rows than the manifest */
function requireFiles(zip: Zip, { tables, objects }: Manifest): Listed[] {
  const files: Listed[] = [...tables, objects];
  const names = new Set(files.map(({ file }) => file));
  const missing = [...names].find((name) => !zip.names.includes(name));
  if (missing !== undefined)
    throw new BadArchive(`The archive isn’t whole: “${missing}” is missing. Download it again.`);
  const undeclared = zip.names.find((name) => name.startsWith("data/") && !names.has(name));
  if (undeclared !== undefined)
    throw new BadArchive(`The archive has a file that its manifest doesn’t name: “${undeclared}”.`);
  return files;
}

/** @throws {BadArchive} unless the file has the size, lines and hash of the manifest */
async function readListed(zip: Zip, { file, bytes, rows, sha256 }: Listed) {
  const blob = await unpack(zip, file, bytes);
  const content = new Uint8Array(await blob.arrayBuffer());
  const lines = content.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  if (content.length !== bytes || lines !== rows || (await sha256Of(content)) !== sha256)
    throw new BadArchive(
      `“${file}” isn’t the file that the manifest names: the archive was changed or damaged.`,
    );
  return content;
}

async function* piecesOf(zip: Zip, { objects }: Manifest, files: Listed[]): AsyncGenerator<Piece> {
  let number = 0;
  for (const listed of files) {
    const content = await readListed(zip, listed);
    const most = listed === objects ? OBJECTS_A_PIECE : Infinity;
    for (const text of linesTogether(content, listed.file, most))
      yield { file: listed.file, number: ++number, text };
  }
}

function* linesTogether(content: Uint8Array, file: string, mostLines: number) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let lines = 0;
  let from = 0;
  let end = 0;
  for (let next = content.indexOf(10); next >= 0; next = content.indexOf(10, next + 1)) {
    if (next - end > MOST_ROW)
      throw new BadArchive(`“${file}” has a row that is longer than a site can store.`);
    if (end > from && (next + 1 - from > PIECE_BYTES || lines >= mostLines)) {
      yield decoder.decode(content.subarray(from, end));
      [from, lines] = [end, 0];
    }
    end = next + 1;
    lines++;
  }
  if (end > from) yield decoder.decode(content.subarray(from, end));
}
