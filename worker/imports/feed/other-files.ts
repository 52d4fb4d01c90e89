import type { Alternate } from "#worker/episodes/contract.ts";
import type { FileFolder } from "#worker/files/contract.ts";
import type { FeedEpisode, FurtherFile, Portrait } from "#worker/imports/feed/contract.ts";
import { HostError } from "#worker/imports/feed/download.ts";
import { moveFile, type FileProgress } from "#worker/imports/feed/move-file.ts";
import { movePortrait, withoutProfile } from "#worker/imports/feed/portraits.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** The further files of an episode and the portraits of its people. If one fails, the episode is imported without it. */

export type Others = {
  alternates: Alternate[];
  /** Bytes of those. */
  moved: number;
  /** Addresses that are done with: what is there was moved, or cannot be. */
  done: string[];
  /** The next file's, and its failed attempts. */
  progress: FileProgress | null;
  tries: number;
  /** What is missing, and why. */
  messages: string[];
  /** Why the next is tried again later. */
  wait?: string;
};

export const NOTHING_MOVED: Others = {
  alternates: [],
  moved: 0,
  done: [],
  progress: null,
  tries: 0,
  messages: [],
};

type Next = { file: FurtherFile } | { portrait: Portrait };

/** What is moved next; undefined if nothing is left. */
export async function nextOther(
  ctx: Context,
  { furtherFiles = [], portraits = [] }: FeedEpisode,
  { done }: Others,
): Promise<Next | undefined> {
  const isLeft = ({ url }: { url: string }) => !done.includes(url);
  const file = furtherFiles.find(isLeft);
  if (file) return { file };
  const [portrait] = await withoutProfile(ctx, portraits.filter(isLeft));
  return portrait && { portrait };
}

/** Attempts, before the episode is imported without it. */
const MOST_TRIES = 3;

type Move = {
  ctx: Context;
  next: Next;
  others: Others;
  importId: number;
  /** Takes the bytes of the next one that are here; false if another message continues. */
  save: (others: Others, bytes: number) => Promise<boolean>;
};

/** Moves one, or a part of it. */
export async function moveOther(move: Move): Promise<Others> {
  const { next, others } = move;
  const { url } = "file" in next ? next.file : next.portrait;
  const after = { ...others, done: [...others.done, url], progress: null, tries: 0, wait: undefined };
  // With what was stored before an error, so that the next message continues behind it.
  let here = { ...others, wait: undefined };
  try {
    if ("portrait" in next) {
      await movePortrait(move.ctx, next.portrait, move.importId);
      return after;
    }
    const stored = await moveFurtherFile(move, next.file, (progress) => {
      here = { ...here, progress, tries: 0 };
      return here;
    });
    return stored ? { ...after, ...stored } : here;
  } catch (error) {
    if (!(error instanceof HostError || error instanceof AppError)) throw error;
    const message = `Imported without ${inWords(next)}: ${error.message}`;
    const tries = here.tries + 1;
    return error instanceof HostError && error.isTemporary && tries < MOST_TRIES
      ? { ...here, tries, wait: message }
      : { ...after, messages: [...others.messages, message] };
  }
}

async function moveFurtherFile(
  { ctx, others, save }: Move,
  file: FurtherFile,
  withProgress: (progress: FileProgress) => Others,
) {
  const stored = await moveFile({
    ctx,
    url: file.url,
    folder: folderOf(file),
    progress: others.progress,
    save: (progress, { moved }) => save(withProgress(progress), moved),
  });
  if (!stored) return null;
  // The library also takes texts and pictures.
  if (!/^(?:audio|video)\//.test(stored.type))
    throw new AppError("unsupported_type", "There is no audio or video at its address.");
  const { url, size } = stored;
  return {
    alternates: [...others.alternates, { url, title: file.title }],
    moved: others.moved + size,
  };
}

/** As the library takes them: a video is at most 50 MB. */
const folderOf = ({ type }: FurtherFile): FileFolder =>
  type.startsWith("video/") ? "uploads" : "podcast-audio";

const inWords = (next: Next) =>
  "portrait" in next
    ? `the portrait of ${next.portrait.name}`
    : `its file ${next.file.title ? `“${next.file.title}”` : next.file.url}`;
