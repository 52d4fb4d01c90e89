import type { IAudioMetadata, IChapter, IPicture } from "music-metadata";
import { readChapterFile } from "#worker/episodes/chapter-input/read-chapter-file.ts";
import { MOST_CHAPTERS } from "#worker/episodes/contract.ts";
import { toMs } from "#worker/episodes/transcript-input/times.ts";
import { readAiffMarkers, readWavMarkers } from "#worker/files/audio/riff.ts";
import type { EmbeddedChapter } from "#worker/files/contract.ts";
import { Reader } from "#worker/files/pictures/metadata/reader.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import { INVISIBLE_IN_LINE } from "#worker/platform/contract.ts";

/** Characters, as a chapter takes them. */
const MOST_TITLE = 200;
const MOST_LINK = 2000;

/** Programs leave line breaks and zeros in tags. */
const NO_WORDS = new RegExp(`(?:\\s|${INVISIBLE_IN_LINE.source})+`, "gu");

/** A text of a tag as one line. */
export const lineOf = (text: string, most: number) => beginningOf(text.replace(NO_WORDS, " ").trim(), most);

type Found = { start: number; title: string; url?: string | null; image?: IPicture | undefined };

/** `picture`: the bytes of the one inside the file, or of its stand-in. */
export type FoundChapter = EmbeddedChapter & { picture?: Uint8Array };

/** ID3's type for a picture whose bytes are an address. */
const LINKED = "-->";

/**
 * The chapters inside an audio file, in order of time: of ID3 and MP4, of the comments of Ogg and FLAC, or the markers of a
 * WAV or AIFF. One without a title is called by its number. The picture of one is its address, or else its bytes.
 * `hasMore`: whether there are more than an episode takes.
 * @throws InvalidFileError when the file has too many parts.
 */
export async function chaptersOf(file: Blob, metadata: IAudioMetadata) {
  const found = (await findChapters(file, metadata))
    .filter(({ start }) => start >= 0 && Number.isFinite(start))
    .toSorted((a, b) => a.start - b.start);
  const chapters = found.slice(0, MOST_CHAPTERS).map(({ start, title, url, image }, index): FoundChapter => {
    const link = linkOf(url);
    const named = lineOf(title, MOST_TITLE) || `Chapter ${index + 1}`;
    return { start: toMs(start), title: named, ...(link !== null && { url: link }), ...pictureOf(image) };
  });
  return { chapters, hasMore: found.length > MOST_CHAPTERS };
}

export const isLinked = ({ format }: Pick<IPicture, "format">) => format === LINKED;

function pictureOf(image: IPicture | undefined) {
  if (!image) return {};
  if (!isLinked(image)) return { picture: image.data };
  const img = linkOf(new TextDecoder("latin1").decode(image.data).replaceAll("\0", ""));
  return img === null ? {} : { img };
}

async function findChapters(file: Blob, { format, native }: IAudioMetadata): Promise<Found[]> {
  if (format.chapters && format.chapters.length > 0) return format.chapters.map(toChapter);
  if (file.type === "audio/wav") return readWavMarkers(new Reader(file));
  if (file.type === "audio/aiff") return readAiffMarkers(new Reader(file));
  const comments = (native["vorbis"] ?? []).filter(({ id }) => /^CHAPTER\d/i.test(id));
  const written = comments.map(({ id, value }) => `${id}=${lineOf(String(value), 4096)}`);
  return readChapterFile(written.join("\n"))?.chapters ?? [];
}

const toChapter = ({ start, timeScale, title, url, image }: IChapter): Found => ({
  start: start / (timeScale || 1),
  title,
  url: url?.url,
  image,
});

/** Null if it is not an absolute http or https address. */
function linkOf(given: string | null | undefined) {
  const text = (given ?? "").trim();
  const isWeb = /^https?:\/\//i.test(text) && text.length <= MOST_LINK && URL.canParse(text);
  return isWeb ? text : null;
}
