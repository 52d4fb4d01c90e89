import type { IChapter } from "music-metadata";
import { StorageError } from "#worker/files/blob.ts";
import { maxBytes } from "#worker/files/contract.ts";
import { estimateSeconds, findMp3Start, hasFrameCount } from "#worker/files/mpeg.ts";
import { InvalidFileError, UnreadableError } from "#worker/files/invalid.ts";
import { cleanPicture } from "#worker/files/metadata/clean.ts";
import type { Pieces } from "#worker/files/metadata/pieces.ts";
import { isTooLarge, readPicture, tooManyPixels, type Dimensions } from "#worker/files/pictures.ts";
import { isPicture, readType } from "#worker/files/types.ts";
import { logWarning } from "#worker/platform/log.ts";

/** A clean picture's headers stand in here, its colour profile among them. */
const PICTURE_HEADERS = 4 * 1024 * 1024;
/** Tags beyond this are not read: they would be held in memory whole. */
const MAX_TAGS = 24 * 1024 * 1024;
const MAX_CHAPTERS = 500;
const MAX_CHAPTER_TITLE = 200;

export type Artwork = Dimensions & { bytes: Uint8Array; type: string; extension: string };

export type Sound = {
  durationSeconds: number | null;
  audioStart: number | null;
  artwork: Artwork | null;
  chapters: { start: number; title: string }[];
};

export type InspectedPicture = Dimensions & { clean: Pieces };

/**
 * What a picture tells of itself, and how it is published; null when it is none that can be read.
 * @throws InvalidFileError when it is cut off, or too large.
 */
export async function inspectPicture(file: Blob): Promise<InspectedPicture | null> {
  try {
    const clean = await cleanPicture(file);
    const dimensions = readPicture(await clean.bytes(file, PICTURE_HEADERS), file.type);
    if (dimensions && isTooLarge(dimensions)) throw new InvalidFileError(tooManyPixels(dimensions));
    return dimensions && { ...dimensions, clean };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    console.warn("files: a picture could not be read", error);
    return null;
  }
}

/** What an audio file tells of itself; null when it is no audio that can be read. */
export async function inspectAudio(file: Blob): Promise<Sound | null> {
  const audioStart = await findAudioStart(file);
  if (file.type === "audio/mpeg" && audioStart === null) return null;
  const metadata = await parse(audioStart !== null && audioStart > MAX_TAGS ? file.slice(audioStart) : file);
  if (!metadata?.format.codec) return null;
  const { selectCover } = await musicMetadata();
  return {
    durationSeconds: await readDuration(file, audioStart, metadata.format.duration),
    audioStart,
    artwork: await readArtwork(selectCover(metadata.common.picture)?.data),
    chapters: (metadata.format.chapters ?? []).flatMap(toChapter).slice(0, MAX_CHAPTERS),
  };
}

/** Large, and of use to uploads alone: a visit's cold start does without it. */
const musicMetadata = () => import("music-metadata");

async function parse(file: Blob) {
  const { parseBlob } = await musicMetadata();
  try {
    // Ogg and raw AAC tell their length only by being walked through; an MP3 is estimated here instead.
    return await parseBlob(file, { includeChapters: true, duration: file.type !== "audio/mpeg" });
  } catch (error) {
    if (error instanceof StorageError) throw error;
    logWarning("files: audio could not be read", error);
    return null;
  }
}

async function findAudioStart(file: Blob) {
  if (file.type === "audio/mpeg") return findMp3Start(file);
  if (file.type === "audio/mp4" || file.type === "audio/x-m4a") return findMp4Start(file);
  return null;
}

/** Where the media data box begins, among the boxes at the top of the file. */
async function findMp4Start(file: Blob) {
  for (let at = 0; at + 16 <= file.size;) {
    const header = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const short = header.getUint32(0);
    // 1: the true size follows in 64 bits. 0: to the end of the file.
    const isLong = short === 1;
    if (header.getUint32(4) === MDAT) return at + (isLong ? 16 : 8);
    const size = isLong ? Number(header.getBigUint64(8)) : short;
    if (size < 8) return null;
    at += size;
  }
  return null;
}

/** "mdat" */
const MDAT = 0x6d646174;

/** Only a count written by the encoder is believed of an MP3; a guess from its first frames is not. */
async function readDuration(file: Blob, audioStart: number | null, told: number | undefined) {
  const isMp3 = file.type === "audio/mpeg" && audioStart !== null;
  const isTold = !isMp3 || (told && (await hasFrameCount(file, audioStart)));
  const seconds = isTold ? told : await estimateSeconds(file, audioStart);
  return seconds ? Math.round(seconds * 1000) / 1000 : null;
}

/** The picture inside an audio file, cleaned; one that would be refused by itself is left out. */
async function readArtwork(found: Uint8Array | undefined): Promise<Artwork | null> {
  if (!found || found.length >= maxBytes("podcast-images")) return null;
  const type = await readType(found, "podcast-images");
  if (!type || !isPicture(type.mime)) return null;
  const file = new Blob([found.slice()], { type: type.mime });
  const inspected = await inspectPicture(file).catch((error: unknown) => {
    if (error instanceof InvalidFileError) return null;
    throw error;
  });
  if (!inspected) return null;
  const { clean, ...dimensions } = inspected;
  return { ...dimensions, bytes: await clean.bytes(file), type: type.mime, extension: type.extension };
}

function toChapter({ start, timeScale, title }: IChapter) {
  const text = title.trim().slice(0, MAX_CHAPTER_TITLE);
  return text ? [{ start: start / (timeScale || 1), title: text }] : [];
}
