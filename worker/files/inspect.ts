import type { ICommonTagsResult, IFormat, IPicture } from "music-metadata";
import { chaptersOf, lineOf } from "#worker/files/audio/chapters.ts";
import { whole, type Length } from "#worker/files/audio/length.ts";
import { findMp4Start } from "#worker/files/audio/mp4.ts";
import { readId3v1 } from "#worker/files/audio/id3v1.ts";
import { readMp3Length } from "#worker/files/audio/mp3-length.ts";
import { readMp4Length } from "#worker/files/audio/mp4-sound.ts";
import { readOggLength } from "#worker/files/audio/ogg-length.ts";
import { readFlacLength } from "#worker/files/audio/flac-length.ts";
import { outlineOf } from "#worker/files/audio/outline.ts";
import { readAiffLength, readWavLength } from "#worker/files/audio/riff.ts";
import { StorageError } from "#worker/files/blob.ts";
import type { AudioTags, FileFlaw } from "#worker/files/contract.ts";
import {
  readChapterPictures,
  readCover,
  type Artwork,
  type PicturedChapter,
} from "#worker/files/audio/pictures.ts";
import { findAacStart, findMp3Start, findOldLayer, measureAac } from "#worker/files/audio/mpeg.ts";
import { InvalidFileError, isNotPlayed, UnreadableError } from "#worker/files/invalid.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";
import { isMp4Audio } from "#worker/files/types.ts";
import { logWarning } from "#worker/platform/log.ts";

/** As an episode has them at most. */
const MAX_TAG_TITLE = 255;
const MAX_NUMBER = 100_000;

export type Sound = {
  durationSeconds: number | null;
  flaw: FileFlaw | null;
  statedSeconds: number | null;
  audioStart: number | null;
  artwork: Artwork | null;
  chapters: PicturedChapter[];
  tags: AudioTags | null;
};

/**
 * The facts of an audio file; null if it is not readable audio.
 * @throws InvalidFileError if it has too many parts.
 */
export async function inspectAudio(file: Blob): Promise<Sound | null> {
  const audioStart = await findAudioStart(file);
  if (file.type === "audio/mpeg" && audioStart === null) {
    const layer = await findOldLayer(file);
    if (layer) throw isNotPlayed(layer);
    return null;
  }
  // First, because its message about other files is better.
  const mp4 = isMp4Audio(file.type) ? await readStructure(() => readMp4Length(new Reader(file))) : null;
  if (isMp4Audio(file.type) && !mp4) return null;
  const metadata = await parse(file, audioStart);
  // The tracks of an MP4 are already checked. A metadata parser supports fewer codecs, and may fail if the end is
  // missing.
  if (!metadata?.format.codec && !mp4) return null;
  const cover = await readCover(await coversOf(metadata?.common.picture));
  const { chapters, hasMore } = metadata
    ? await chaptersOf(file, metadata)
    : { chapters: [], hasMore: false };
  const length = mp4 ?? (await readLength(file, audioStart, metadata?.format));
  return {
    durationSeconds: length.seconds ? toMilliseconds(length.seconds) : null,
    flaw: length.flaw,
    statedSeconds: length.statedSeconds && toMilliseconds(length.statedSeconds),
    audioStart,
    artwork: cover.artwork,
    chapters: await readChapterPictures(chapters, cover),
    tags: metadata && toTags(await wordsOf(file, metadata.common), cover.refused, hasMore),
  };
}

/** Seconds, rounded to milliseconds. */
const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** Null if the structure of a file makes no sense. @throws InvalidFileError */
async function readStructure<T>(read: () => Promise<T>) {
  try {
    return await read();
  } catch (error) {
    // A field that points past the end.
    if (!(error instanceof UnreadableError || error instanceof RangeError)) throw error;
    logWarning("files: audio could not be read", error);
    return null;
  }
}

/** Large, and of use to uploads alone: a visit's cold start does without it. */
const musicMetadata = () => import("music-metadata");

async function parse(file: Blob, audioStart: number | null) {
  const { parseBlob } = await musicMetadata();
  try {
    const outline = await outlineOf(file, audioStart);
    const metadata = await parseBlob(outline.file, { includeChapters: true });
    outline.check();
    return metadata;
  } catch (error) {
    if (error instanceof StorageError || error instanceof InvalidFileError) throw error;
    logWarning("files: audio could not be read", error);
    return null;
  }
}

async function findAudioStart(file: Blob) {
  switch (file.type) {
    case "audio/mpeg":
      return findMp3Start(file);
    case "audio/aac":
      return findAacStart(file);
    case "audio/mp4":
    case "audio/x-m4a":
      return readStructure(() => findMp4Start(new Reader(file)));
    default:
      return null;
  }
}

/** Computes the duration of formats that only state it across the whole file. */
async function readLength(file: Blob, start: number | null, format: IFormat | undefined): Promise<Length> {
  const duration = format?.duration ?? null;
  switch (file.type) {
    case "audio/mpeg":
      return start === null ? whole(null) : readMp3Length(file, start);
    case "audio/aac":
      return whole(start === null ? null : (await measureAac(file, start)).seconds);
    case "audio/ogg":
    case "audio/opus":
      return readOggLength(file);
    case "audio/wav":
      return readWavLength(new Reader(file), duration);
    case "audio/aiff":
      return readAiffLength(new Reader(file), duration);
    case "audio/flac":
    case "audio/x-flac":
      return readFlacLength(file);
    default:
      return whole(duration);
  }
}

/** The front cover before others. */
async function coversOf(pictures: IPicture[] = []) {
  const { selectCover } = await musicMetadata();
  const front = selectCover(pictures);
  return front ? [front, ...pictures.filter((picture) => picture !== front)] : [];
}

type Words = { title: string | undefined; number: number | null };

/** From the oldest tag if no other has a title. */
async function wordsOf(file: Blob, { title, track }: ICommonTagsResult): Promise<Words> {
  const isMpeg = file.type === "audio/mpeg" || file.type === "audio/aac";
  const old = isMpeg && !title ? await readId3v1(file) : null;
  return { title: title ?? old?.title, number: track.no ?? old?.number ?? null };
}

/** Null if the file says nothing of these. */
function toTags(
  { title = "", number: given }: Words,
  refusedCover: string | null,
  hasMoreChapters: boolean,
): AudioTags | null {
  const words = lineOf(title, MAX_TAG_TITLE);
  const number = given !== null && given >= 1 && given <= MAX_NUMBER ? Math.trunc(given) : null;
  if (words === "" && number === null && refusedCover === null && !hasMoreChapters) return null;
  return {
    title: words,
    number,
    ...(refusedCover !== null && { refusedCover }),
    ...(hasMoreChapters && { hasMoreChapters }),
  };
}
