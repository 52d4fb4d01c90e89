import type { Chapter } from "#worker/episodes/contract.ts";
import { readChapterFile } from "#worker/episodes/chapter-input/formats.ts";
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

/** What stands beside the audio of an episode. Without it the episode comes all the same, and says so. */

/** Bytes. */
const MOST_TEXT = 4 * 1024 * 1024;
/** Characters, as an episode takes them. */
const MOST_TRANSCRIPT = 600_000;
/** HTML is longer than what it says. */
const MOST_HTML = 4 * MOST_TRANSCRIPT;

/**
 * Stores a picture, once for all episodes of an import that have it. Returns its file's id.
 * @throws {HostError}; `invalid`, `unsupported_type` for what is no picture
 */
export async function movePicture(ctx: Context, url: string, importId: number) {
  const id = await uuidOf(`import ${importId} ${url}`);
  await fetchPicture(ctx, url, { id, folder: "podcast-images" });
  return id;
}

/** As hosts serve for an episode without chapters. */
const isEmptyList = (text: string) => /"chapters"\s*:\s*\[\s*\]/.test(text);

async function readText(ctx: Context, { url }: LinkedFile) {
  const answer = await ask(ctx, url);
  const type = answer.response.headers.get("Content-Type");
  const bytes = await unpacked(await bytesOf(answer, MOST_TEXT), MOST_TEXT);
  return { text: decodeText(bytes, type), type: type ?? "", address: answer.url };
}

/** `lost`: how many have no time that can be read. */
type ReadChapters = { chapters: Chapter[]; lost: number };

/**
 * The chapters of an episode: those of a file before those within the feed.
 * @throws {HostError}; `invalid` for what are no chapters
 */
export async function readChapters(
  ctx: Context,
  { chapters, chaptersFile }: FeedEpisode,
): Promise<ReadChapters> {
  if (!chaptersFile) return { chapters, lost: 0 };
  const { text, address } = await readText(ctx, chaptersFile);
  return chaptersInFile(text, address);
}

/**
 * The chapters in a text that a program or a person wrote.
 * @throws `invalid` where there are none
 */
export function chaptersInFile(text: string, address: string): ReadChapters {
  const file = readChapterFile(text);
  const found = file?.chapters ?? chaptersIn(text.split(/\r?\n/).map((line) => ({ text: line })));
  if (found.length === 0 && !isEmptyList(text)) throw new AppError("invalid", "They can’t be read.");
  const chapters = chaptersOf(
    found.map((chapter) => ({ ...chapter, url: chapter.url ?? "" })),
    address,
  );
  return { chapters, lost: file?.lost.length ?? 0 };
}

/**
 * The first of an episode's transcripts that can be read, as an episode takes it, with what was changed of it; empty for
 * none.
 * @throws {HostError}; `invalid` where none can be read
 */
export async function readTranscriptOf(
  ctx: Context,
  { transcripts }: Pick<FeedEpisode, "transcripts">,
): Promise<{ transcript: string; notes: string[] }> {
  let refusal: unknown = null;
  for (const file of transcripts) {
    try {
      return transcriptOf(file, await readText(ctx, file));
    } catch (error) {
      refusal ??= error;
    }
  }
  if (refusal !== null) throw refusal;
  return { transcript: "", notes: [] };
}

function transcriptOf(file: LinkedFile, { text, type }: { text: string; type: string }) {
  const isHtml = /html/.test(file.type || type);
  const { transcript, notes } = readTranscript(isHtml ? fromHtml(text) : text, { isLenient: true });
  if (transcript.length > MOST_TRANSCRIPT) throw tooLong("600,000 characters");
  return { transcript, notes };
}

const tooLong = (limit: string) => new AppError("invalid", `It is longer than ${limit}.`);

function fromHtml(html: string) {
  if (html.length > MOST_HTML) throw tooLong("2,400,000 characters of HTML");
  return plainOf(html);
}
