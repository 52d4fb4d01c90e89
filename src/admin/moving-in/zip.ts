import {
  BlobReader,
  ERR_ENCRYPTED,
  ERR_OVERLAPPING_ENTRY,
  ERR_UNSAFE_FILENAME,
  ZipReader,
  type Entry,
  type FileEntry,
} from "@zip.js/zip.js/lib/zip-core-native.js";

/** For a file of the wrong kind, or one that cannot be read, with a message. */
export class BadFile extends Error {}

const MOST_ENTRIES = 100_000;
/** Bytes, unpacked. */
const MOST_IN_ALL = 1_000_000_000;

const TOO_LARGE = "This zip is far larger than any such export. It wasn’t unpacked.";

/** The files of a zip, each unpacked when it is asked for. Close it in the end. */
export type Zip = {
  names: string[];
  /**
   * @param most Bytes, unpacked.
   * @throws {BadFile}
   */
  unpack: (name: string, most: number) => Promise<Blob>;
  close: () => Promise<void>;
};

/**
 * @param most Bytes, unpacked, of all files together.
 * @throws {BadFile}
 */
export async function openZip(file: Blob, most = MOST_IN_ALL): Promise<Zip> {
  const reader = new ZipReader(new BlobReader(file), {
    useWebWorkers: false,
    checkOverlappingEntry: true,
    filenameValidation: "strict",
  });
  try {
    const entries = filesOf(await reader.getEntries());
    let left = most;
    return {
      names: [...entries.keys()],
      close: () => reader.close(),
      async unpack(name, limit) {
        try {
          const bytes = await unpack(entries.get(name)!, Math.min(left, limit));
          left -= bytes.size;
          return bytes;
        } catch (error) {
          throw inWords(error);
        }
      },
    };
  } catch (error) {
    await reader.close();
    throw inWords(error);
  }
}

function filesOf(entries: Entry[]) {
  if (entries.length > MOST_ENTRIES) throw new BadFile(TOO_LARGE);
  const leading = entries.find(({ filename }) => leadsOut(filename));
  if (leading) throw new BadFile(`A file name in this zip points outside it: “${leading.filename}”.`);
  const files = entries.filter((entry): entry is FileEntry => !entry.directory);
  return new Map(files.map((entry) => [entry.filename, entry]));
}

const leadsOut = (name: string) => /^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(name);

/** Counts the unpacked bytes, whatever size the zip states. */
async function unpack(entry: FileEntry, most: number) {
  if (entry.uncompressedSize > most) throw new BadFile(TOO_LARGE);
  const parts: BlobPart[] = [];
  let size = 0;
  await entry.getData(
    new WritableStream<Uint8Array<ArrayBuffer>>({
      write(part) {
        size += part.byteLength;
        if (size > most) throw new BadFile(TOO_LARGE);
        parts.push(part);
      },
    }),
    { useWebWorkers: false },
  );
  return new Blob(parts);
}

function inWords(error: unknown) {
  if (error instanceof BadFile) return error;
  const message = error instanceof Error ? error.message : "";
  if (message === ERR_UNSAFE_FILENAME) return new BadFile("A file name in this zip points outside it.");
  if (message === ERR_OVERLAPPING_ENTRY) return new BadFile(TOO_LARGE);
  if (message === ERR_ENCRYPTED) return new BadFile("The zip is encrypted.");
  console.error(error);
  return new BadFile("This zip can’t be read. Choose the file exactly as it was exported.");
}
