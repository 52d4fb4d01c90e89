import { MOST_CHAPTERS, type Chapter } from "#worker/episodes/contract.ts";
import { endOf } from "#worker/episodes/chapter-times.ts";
import { readChapterFile } from "#worker/episodes/chapter-input/read-chapter-file.ts";
import { chaptersIn } from "#worker/episodes/chapter-input/lines.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import type { FeedEpisode, LinkedFile } from "#worker/imports/feed/contract.ts";
import { ask, bytesOf } from "#worker/imports/feed/download.ts";
import { plainOf } from "#worker/imports/feed/notes.ts";
import { decodeText, unpacked } from "#worker/imports/feed/text.ts";
import { chaptersOf } from "#worker/imports/feed/values.ts";
import { fetchPicture } from "#worker/imports/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { uuidOf } from "#worker/platform/data/random.ts";

/** Chapters, transcript and cover of an episode. If one fails, the episode is imported with a warning. */

/** In bytes. */
const MOST_TEXT = 4 * 1024 * 1024;
/** Characters, the limit of an episode. */
const MOST_TRANSCRIPT = 600_000;
/** HTML is longer than its text. */
const MOST_HTML = 4 * MOST_TRANSCRIPT;

/**
 * Stores a picture once for all episodes of an import that use it. Returns the file's id.
 * @throws {HostError}; `invalid`, `unsupported_type` if it is not a picture
 */
export async function movePicture(ctx: Context, url: string, importId: number) {
  const id = await uuidOf(`import ${importId} ${url}`);
  await fetchPicture(ctx, url, { id, folder: "podcast-images" });
  return id;
}

/** Hosts serve it for an episode without chapters. */
const isEmptyList = (text: string) => /"chapters"\s*:\s*\[\s*\]/.test(text);

async function readText(ctx: Context, { url }: LinkedFile) {
  const answer = await ask(ctx, url);
  const type = answer.response.headers.get("Content-Type");
  const bytes = await unpacked(await bytesOf(answer, MOST_TEXT), MOST_TEXT);
  return { text: decodeText(bytes, type), type: type ?? "", address: answer.url };
}

type ReadChapters = {
  chapters: Chapter[];
  /** How many have no time that can be read. */
  lost: number;
  /** How many begin at the time of an earlier one, or have no visible title. */
  repeated: number;
  /** Whether there are more than an episode takes. */
  hasMore: boolean;
};

/**
 * The chapters of an episode: from a file, otherwise from the feed.
 * @throws {HostError}; `invalid` if they are not chapters
 */
export async function readChapters(
  ctx: Context,
  { chapters, chaptersFile }: FeedEpisode,
): Promise<ReadChapters> {
  if (!chaptersFile) return { chapters, lost: 0, repeated: 0, hasMore: false };
  const { text, address } = await readText(ctx, chaptersFile);
  return chaptersInFile(text, address);
}

/**
 * The chapters in a text by a program or a person.
 * @throws `invalid` if there are none
 */
export function chaptersInFile(text: string, address: string): ReadChapters {
  const file = readChapterFile(text);
  const found = file?.chapters ?? chaptersIn(text.split(/\r?\n/).map((line) => ({ text: line })));
  if (found.length === 0 && !isEmptyList(text)) throw new AppError("invalid", "They can’t be read.");
  const chapters = chaptersOf(
    found.map((chapter) => ({ ...chapter, url: chapter.url ?? "" })),
    address,
  );
  return {
    chapters: chapters.slice(0, MOST_CHAPTERS),
    lost: file?.lost.length ?? 0,
    repeated: found.length - chapters.length,
    hasMore: chapters.length > MOST_CHAPTERS,
  };
}

/** `isCut`: whether text after the end of the audio is left out. */
type FoundTranscript = { transcript: string; isCut: boolean; notes: string[] };

export const NO_TRANSCRIPT: FoundTranscript = { transcript: "", isCut: false, notes: [] };

/**
 * The first readable transcript of an episode up to its `end` in seconds, in the stored format, with notes on what was
 * changed; empty if it has none.
 * @throws {HostError}; `invalid` if none can be read
 */
export async function readTranscriptOf(
  ctx: Context,
  { transcripts, durationSeconds }: Pick<FeedEpisode, "transcripts" | "durationSeconds">,
  end: number,
): Promise<FoundTranscript> {
  let refusal: unknown = null;
  for (const file of transcripts) {
    try {
      // The length in the feed may be that of another file.
      const guessedWithin = Math.max(endOf(durationSeconds), end);
      return transcriptOf(file, await readText(ctx, file), { end, guessedWithin });
    } catch (error) {
      refusal ??= error;
    }
  }
  if (refusal !== null) throw refusal;
  return NO_TRANSCRIPT;
}

function transcriptOf(
  file: LinkedFile,
  { text, type }: { text: string; type: string },
  limits: { end: number; guessedWithin: number },
): FoundTranscript {
  const isHtml = /html/.test(file.type || type);
  const { transcript, isCut, notes } = readTranscript(isHtml ? fromHtml(text) : text, {
    isLenient: true,
    ...limits,
  });
  if (transcript.length > MOST_TRANSCRIPT) throw tooLong("600,000 characters");
  return { transcript, isCut, notes };
}

const tooLong = (limit: string) => new AppError("invalid", `It is longer than ${limit}.`);

function fromHtml(html: string) {
  if (html.length > MOST_HTML) throw tooLong("2,400,000 characters of HTML");
  return plainOf(html);
}
