import {
  BlobReader,
  ERR_ENCRYPTED,
  ERR_OVERLAPPING_ENTRY,
  ERR_UNSAFE_FILENAME,
  ZipReader,
  type Entry,
  type FileEntry,
} from "@zip.js/zip.js/lib/zip-core-native.js";

/** Of a file that is no archive of LinkedIn's, or none that is to be read; its message says why. */
export class BadArchive extends Error {}

export type Archive = {
  /** Shares.csv, as it is; null where the archive has none. */
  shares: Blob | null;
  /** The pages of Articles/. */
  articles: { name: string; html: string }[];
};

const MOST_ENTRIES = 50_000;
/** Bytes, unpacked. */
const MOST_SHARES = 100_000_000;
const MOST_ARTICLE = 5_000_000;
const MOST_IN_ALL = 300_000_000;

const TOO_LARGE = "The archive holds far more than posts take. It was not unpacked.";

/**
 * The posts and articles of the archive that LinkedIn lets its members download. Nothing else of it is unpacked.
 * @throws {BadArchive}
 */
export async function readArchive(file: Blob): Promise<Archive> {
  const reader = new ZipReader(new BlobReader(file), {
    useWebWorkers: false,
    checkOverlappingEntry: true,
    filenameValidation: "strict",
  });
  try {
    return await readEntries(wantedOf(await reader.getEntries()));
  } catch (error) {
    throw inWords(error);
  } finally {
    await reader.close();
  }
}

function wantedOf(entries: Entry[]) {
  if (entries.length > MOST_ENTRIES) throw new BadArchive(TOO_LARGE);
  const leading = entries.find(({ filename }) => leadsOut(filename));
  if (leading)
    throw new BadArchive(`The archive has a file whose name leads out of it: “${leading.filename}”.`);
  return entries.filter((entry): entry is FileEntry => !entry.directory && isWanted(entry.filename));
}

const leadsOut = (name: string) => /^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(name);

const isShares = (name: string) => /(?:^|\/)shares\.csv$/i.test(name);
const isWanted = (name: string) => isShares(name) || /(?:^|\/)articles\/[^/]+\.html?$/i.test(name);

async function readEntries(entries: FileEntry[]): Promise<Archive> {
  let left = MOST_IN_ALL;
  const archive: Archive = { shares: null, articles: [] };
  for (const entry of entries) {
    const isList = isShares(entry.filename);
    const bytes = await unpack(entry, Math.min(left, isList ? MOST_SHARES : MOST_ARTICLE));
    left -= bytes.size;
    if (isList) archive.shares = bytes;
    else archive.articles.push({ name: entry.filename, html: await bytes.text() });
  }
  if (!archive.shares && archive.articles.length === 0)
    throw new BadArchive("There is neither a Shares.csv nor an article in this archive.");
  return archive;
}

/** Counts what comes out, whatever the archive says of it. */
async function unpack(entry: FileEntry, most: number) {
  if (entry.uncompressedSize > most) throw new BadArchive(TOO_LARGE);
  const parts: BlobPart[] = [];
  let size = 0;
  await entry.getData(
    new WritableStream<Uint8Array<ArrayBuffer>>({
      write(part) {
        size += part.byteLength;
        if (size > most) throw new BadArchive(TOO_LARGE);
        parts.push(part);
      },
    }),
    { useWebWorkers: false },
  );
  return new Blob(parts);
}

function inWords(error: unknown) {
  if (error instanceof BadArchive) return error;
  const message = error instanceof Error ? error.message : "";
  if (message === ERR_UNSAFE_FILENAME)
    return new BadArchive("The archive has a file whose name leads out of it.");
  if (message === ERR_OVERLAPPING_ENTRY) return new BadArchive(TOO_LARGE);
  if (message === ERR_ENCRYPTED) return new BadArchive("The archive is encrypted.");
  console.error(error);
  return new BadArchive("This is no zip that could be read. Choose the file as LinkedIn sent it.");
}
