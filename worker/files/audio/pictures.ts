import { fileTypeFromBuffer } from "file-type";
import type { IPicture } from "music-metadata";
import { isLinked, type FoundChapter } from "#worker/files/audio/chapters.ts";
import {
  digestOf,
  LONGEST_CHAPTER_PICTURES_MB,
  LONGEST_TAG_MB,
  readStandIn,
} from "#worker/files/audio/stand-ins.ts";
import { folders, maxBytes, type EmbeddedChapter } from "#worker/files/contract.ts";
import { InvalidFileError } from "#worker/files/invalid.ts";
import { inspectPicture } from "#worker/files/pictures/inspect-picture.ts";
import type { Dimensions } from "#worker/files/pictures/picture-headers.ts";
import { isPicture, readType } from "#worker/files/types.ts";

/** The pictures inside an audio file: its cover, and those of its chapters. */

/** Cleaned for publication. */
export type Artwork = Dimensions & { bytes: Uint8Array; type: string; extension: string };

/**
 * `data`: the original bytes in the file. `refused`: what it is instead of a picture that can be published, such as "a
 * BMP picture"; null if there is none.
 */
type Cover = { artwork: Artwork | null; data: Uint8Array | null; refused: string | null };

/** A chapter whose picture is not stored yet. Equal pictures are one object. */
export type PicturedChapter = EmbeddedChapter & { picture?: Artwork };

/** Each becomes an object in R2, written by the upload's last request. */
const MOST_CHAPTER_PICTURES = 30;
/** Of a file with as many that cannot be published, the others are not looked at. */
const MOST_REFUSED = 100;

/** The first of these pictures that can be published. */
export async function readCover(pictures: IPicture[]): Promise<Cover> {
  let refused: string | null = null;
  for (const picture of pictures) {
    const read = await readArtwork(picture);
    if (typeof read !== "string") return { artwork: read, data: picture.data, refused: null };
    refused ??= read;
  }
  return { artwork: null, data: null, refused };
}

/** Chapters with their cleaned pictures; one that equals the cover uses the cover's. */
export async function readChapterPictures(chapters: FoundChapter[], cover: Cover) {
  const read = new Map<string, Artwork | string>();
  if (cover.artwork && cover.data) read.set(await digestOf(cover.data), cover.artwork);
  const { digests, originals } = await findOriginals(chapters);
  const pictured: PicturedChapter[] = [];
  for (const [index, { picture: data, ...chapter }] of chapters.entries()) {
    const digest = digests[index]!;
    const picture = data && (await readOnce(originals.get(digest) ?? data, digest, { read, cover }));
    if (typeof picture === "string") pictured.push({ ...chapter, refusedPicture: picture });
    else pictured.push({ ...chapter, ...(picture && { picture }) });
  }
  return pictured;
}

/** The digest of each chapter's picture, and each different picture. A repeated one may come before it. */
async function findOriginals(chapters: FoundChapter[]) {
  const originals = new Map<string, Uint8Array>();
  const digests: string[] = [];
  for (const { picture } of chapters) {
    const standIn = picture && readStandIn(picture);
    const digest = standIn?.is === "repeated" ? standIn.digest : picture ? await digestOf(picture) : "";
    digests.push(digest);
    if (picture && standIn?.is !== "repeated") originals.set(digest, picture);
  }
  return { digests, originals };
}

type Read = { read: Map<string, Artwork | string>; cover: Cover };

async function readOnce(data: Uint8Array, digest: string, { read, cover }: Read) {
  const known = read.get(digest);
  if (known !== undefined) return known;
  const refused = [...read.values()].filter((each) => typeof each === "string").length;
  const stored = read.size - refused - (cover.artwork ? 1 : 0);
  if (stored >= MOST_CHAPTER_PICTURES || refused >= MOST_REFUSED) return TOO_MANY;
  const picture = await readArtwork({ data, format: "" });
  read.set(digest, picture);
  return picture;
}

const TOO_MANY = `only the first ${MOST_CHAPTER_PICTURES} different ones are used`;
const TOO_LARGE = `a picture of more than ${folders["podcast-images"].maxMB}MB`;
const leftOut = {
  large: TOO_LARGE,
  beyond: `only ${LONGEST_CHAPTER_PICTURES_MB}MB of chapter pictures are used`,
  "long-tag": `in a tag of more than ${LONGEST_TAG_MB}MB, which can’t be read`,
};

/** The picture, or what it is instead if it would be refused as an upload. */
async function readArtwork(found: Pick<IPicture, "data" | "format">): Promise<Artwork | string> {
  if (isLinked(found)) return "a link to a picture";
  const { data } = found;
  const standIn = readStandIn(data);
  if (standIn) return standIn.is === "repeated" ? UNREADABLE : leftOut[standIn.is];
  if (data.length >= maxBytes("podcast-images")) return TOO_LARGE;
  const type = await readType(data, "podcast-images");
  if (!type || !isPicture(type.mime)) return unshown(data);
  const file = new Blob([data.slice()], { type: type.mime });
  try {
    const inspected = await inspectPicture(file);
    if (!inspected) return UNREADABLE;
    const { clean, ...dimensions } = inspected;
    return { ...dimensions, bytes: await clean.bytes(file), type: type.mime, extension: type.extension };
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    return "a picture that is cut off or has more than 50 megapixels";
  }
}

const UNREADABLE = "a picture that can’t be read";

async function unshown(data: Uint8Array) {
  const found = await fileTypeFromBuffer(data);
  return found?.mime.startsWith("image/") ? `a ${found.ext.toUpperCase()} picture` : UNREADABLE;
}
