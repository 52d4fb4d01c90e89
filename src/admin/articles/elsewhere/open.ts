import { NotText, encodingOf } from "../../imports/file-text.ts";
import { BadFile, openZip, type Zip } from "../../imports/zip.ts";
import type { Source } from "./export.ts";
import { openGhost } from "./ghost.ts";
import { isRostrum, openRostrum } from "./rostrum.ts";
import { isSubstack, openSubstack } from "./substack.ts";
import { openWordPress } from "./wordpress.ts";

/** Bytes, unpacked. */
const MOST_JSON = 300_000_000;
const MOST_XML = 600_000_000;

const NONE =
  "This isn’t an export from Ghost, Substack, WordPress or another Rostrum. Choose the file exactly as it was exported.";

/**
 * The export among the files that were chosen; lists of subscribers may come with it.
 * @throws {BadFile}
 */
export async function openExport(files: File[]): Promise<Source> {
  const lists = files.filter(({ name }) => /\.(csv|tsv)$/i.test(name));
  const [file, ...others] = files.filter((each) => !lists.includes(each));
  if (!file)
    throw new BadFile(
      "Choose the export of your posts as well. To import only subscribers, use the Newsletter tab.",
    );
  const source = await open(file, others);
  return { ...source, lists: [...source.lists, ...lists] };
}

async function open(file: File, others: File[]) {
  const beginning = await file.slice(0, 1000).text();
  if (beginning.startsWith("PK")) return alone(others, () => openArchive(file));
  await requireText(file);
  const first = beginning.replace("\ufeff", "").trimStart()[0];
  if (first === "{" || first === "[") return alone(others, () => openGhost(file, file.name));
  if (first === "<") return openWordPress([file, ...others], file.name);
  throw new BadFile(NONE);
}

function alone(others: File[], read: () => Promise<Source>) {
  if (others.length > 0) throw new BadFile("Choose one export at a time.");
  return read();
}

async function requireText(file: File) {
  try {
    await encodingOf(file);
  } catch (error) {
    if (!(error instanceof NotText)) throw error;
    throw new BadFile(NONE);
  }
}

async function openArchive(file: File) {
  const zip = await openZip(file);
  if (isRostrum(zip)) return openRostrum(zip, file.name);
  if (isSubstack(zip)) return openSubstack(zip, file.name);
  const named = (end: RegExp) => zip.names.filter((name) => end.test(name) && !name.includes("__MACOSX"));
  const [xml, json] = [named(/\.xml$/i), named(/\.json$/i)];
  if (xml.length > 0) return openWordPress(await unpackAll(zip, xml, MOST_XML), file.name);
  if (json.length === 1) return openGhost(await zip.unpack(json[0]!, MOST_JSON), file.name);
  await zip.close();
  throw new BadFile("This zip has no posts.csv from Substack, and no WordPress or Ghost export.");
}

async function unpackAll(zip: Zip, names: string[], most: number) {
  const blobs: Blob[] = [];
  for (const name of names.toSorted()) blobs.push(await zip.unpack(name, most));
  await zip.close();
  return blobs;
}
