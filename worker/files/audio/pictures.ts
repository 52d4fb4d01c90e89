import { fileTypeFromBuffer } from "file-type";
import type { IPicture } from "music-metadata";
import { isLinked, type FoundChapter } from "#worker/files/audio/chapters.ts";
import { folders, maxBytes, type EmbeddedChapter } from "#worker/files/contract.ts";
import { InvalidFileError } from "#worker/files/invalid.ts";
import { inspectPicture } from "#worker/files/pictures/inspect-picture.ts";
import type { Dimensions } from "#worker/files/pictures/pictures.ts";
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
  const pictured: PicturedChapter[] = [];
  for (const { picture: data, ...chapter } of chapters) {
    const picture = data && (await readOnce(data, read, cover));
    if (typeof picture === "string") pictured.push({ ...chapter, refusedPicture: picture });
    else pictured.push({ ...chapter, ...(picture && { picture }) });
  }
  return pictured;
}

async function readOnce(data: Uint8Array, read: Map<string, Artwork | string>, cover: Cover) {
  const digest = await digestOf(data);
  const known = read.get(digest);
  if (known !== undefined) return known;
  const refused = [...read.values()].filter((each) => typeof each === "string").length;
  const stored = read.size - refused - (cover.artwork ? 1 : 0);
  if (stored >= MOST_CHAPTER_PICTURES || refused >= MOST_REFUSED) return TOO_MANY;
  const picture = await readArtwork({ data, format: "" });
  read.set(digest, picture);
  return picture;
}

const digestOf = async (data: Uint8Array) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", data.slice())).toHex();

const TOO_MANY = `one more than ${MOST_CHAPTER_PICTURES} different pictures`;

/** The picture, or what it is instead if it would be refused as an upload. */
async function readArtwork(found: Pick<IPicture, "data" | "format">): Promise<Artwork | string> {
  if (isLinked(found)) return "a link to a picture";
  const { data } = found;
  if (data.length >= maxBytes("podcast-images"))
    return `a picture of more than ${folders["podcast-images"].maxMB}MB`;
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
