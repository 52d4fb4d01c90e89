import { beginningOfXml } from "#worker/imports/beginning-of-xml.ts";
import { NotText, encodingOf } from "../file-text.ts";
import { kindOf, packedKindOf } from "../file-kinds.ts";
import { BadFile, openZip, type Zip } from "../zip.ts";
import { isBeehiiv, openBeehiiv } from "./beehiiv.ts";
import { isButtondown, openButtondown } from "./buttondown.ts";
import type { Source } from "./export.ts";
import { openFeed } from "./feed.ts";
import { openGhost } from "./ghost.ts";
import { isMedium, openMedium } from "./medium.ts";
import { isRostrum, openRostrum } from "./rostrum.ts";
import { isSubstack, openSubstack } from "./substack.ts";
import { isWordPressJson, openWordPressJson } from "./wordpress-json.ts";
import { openWordPress } from "./wordpress.ts";

/** Bytes, unpacked. */
const MOST_JSON = 300_000_000;
const MOST_XML = 600_000_000;

const NONE =
  "This isn’t an export from Ghost, Substack, WordPress, Squarespace, Medium, Blogger, beehiiv, Buttondown or another Rostrum, nor a feed. Choose the file exactly as it was exported.";

/**
 * The export among the chosen files, which may include lists of subscribers.
 * @throws {BadFile}
 */
export async function openExport(files: File[]): Promise<Source> {
  const posts: File[] = [];
  for (const each of files) if (isTable(each) && (await isBeehiiv(each))) posts.push(each);
  const lists = files.filter((each) => isTable(each) && !posts.includes(each));
  const [file, ...others] = files.filter((each) => !lists.includes(each));
  if (!file)
    throw new BadFile(
      "Choose the export of your posts as well. To import only subscribers, use the Newsletter tab.",
    );
  const source = await open(file, others);
  return { ...source, lists: [...source.lists, ...lists] };
}

const notAnExport = (kind: string) =>
  `This isn’t an export: it’s ${kind}. Choose the file exactly as it was exported.`;

const isTable = ({ name }: File) => /\.(csv|tsv)$/i.test(name);

/** Bytes within which a file's type is detected: a WordPress export begins with a long comment. */
const BEGINNING = 20_000;

async function open(file: File, others: File[]) {
  if (file.size === 0) throw new BadFile("This file is empty.");
  const kind = await kindOf(file);
  if (kind !== null && kind !== "a zip") throw new BadFile(notAnExport(kind));
  const bytes = await file.slice(0, BEGINNING).arrayBuffer();
  const beginning = new TextDecoder().decode(bytes);
  if (kind === "a zip") return alone(others, () => openArchive(file));
  await requireText(file);
  if (isTable(file)) return alone(others, () => openBeehiiv(file));
  const first = beginning.replace("\ufeff", "").trimStart()[0];
  if (isWordPressJson(beginning)) return openWordPressJson([file, ...others]);
  if (first === "{" || first === "[") return alone(others, () => openGhost(file, file.name));
  if (/^<(?:!doctype html|html[\s>])/i.test(beginning.slice(beginningOfXml(beginning))))
    throw new BadFile(notAnExport("a web page (HTML)"));
  if (first === "<" && isFeed(new TextDecoder(await encodingOf(file)).decode(bytes)))
    return alone(others, () => openFeed(file, file.name));
  if (first === "<") return openWordPress([file, ...others], file.name);
  throw new BadFile(NONE);
}

/** RSS or Atom: WordPress's export is RSS, too, with elements of its own. */
const isFeed = (beginning: string) =>
  /<(?:rss|(?:\w+:)?RDF|feed)[\s>]/.test(beginning) && !/wordpress\.org\/export|<wp:/.test(beginning);

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

/** The kinds of zips, each recognised by a file in it. */
const archives: { isIt: (zip: Zip) => boolean; open: (zip: Zip, fileName: string) => Promise<Source> }[] = [
  { isIt: isRostrum, open: openRostrum },
  { isIt: isSubstack, open: openSubstack },
  { isIt: isButtondown, open: openButtondown },
  { isIt: isMedium, open: openMedium },
];

async function openArchive(file: File) {
  const zip = await openZip(file);
  const kind = packedKindOf(zip.names);
  if (kind !== null) throw await closing(zip, notAnExport(kind));
  const known = archives.find(({ isIt }) => isIt(zip));
  if (known) return known.open(zip, file.name);
  const named = (end: RegExp) => zip.names.filter((name) => end.test(name) && !name.includes("__MACOSX"));
  const [xml, json] = [named(/\.xml$/i), named(/\.json$/i)];
  // Google packs the blogs of a person, each with its own feed.
  const feeds = named(/\.atom$/i);
  if (feeds.length > 1)
    throw await closing(zip, "This zip has several blogs. Unpack it, and choose one feed.atom at a time.");
  if (feeds.length === 1) return openFeed((await unpackAll(zip, feeds, MOST_XML))[0]!, file.name);
  if (xml.length > 0) return openWordPress(await unpackAll(zip, xml, MOST_XML), file.name);
  if (json.length === 1) return openGhost(await zip.unpack(json[0]!, MOST_JSON), file.name);
  throw await closing(
    zip,
    named(/\.mdx?$/i).length > 0
      ? "This zip has Markdown files: bring them with Update Content."
      : "This zip has no posts.csv from Substack, and no export of another program that is read here.",
  );
}

async function closing(zip: Zip, message: string) {
  await zip.close();
  return new BadFile(message);
}

async function unpackAll(zip: Zip, names: string[], most: number) {
  const blobs: Blob[] = [];
  for (const name of names.toSorted()) blobs.push(await zip.unpack(name, most));
  await zip.close();
  return blobs;
}
