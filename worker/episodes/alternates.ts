import { eq } from "drizzle-orm";
import { changedEpisodes } from "#worker/episodes/changed.ts";
import type { Alternate } from "#worker/episodes/contract.ts";
import { episodes } from "#worker/episodes/table.ts";
import { hashFile } from "#worker/files/hashes.ts";
import { fileIdOf } from "#worker/files/object-keys.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** podcast:alternateEnclosure: further files of an episode. */

const MEDIA = "/media/";

/** The key in R2 of a file's address. */
const keyOf = (url: string) => url.slice(MEDIA.length);

/** @throws `invalid` for a file that is not stored, or is neither audio nor video */
export async function requireAlternates(ctx: Context, alternates: Alternate[]) {
  if (alternates.length === 0) return;
  const found = await findStoredFiles(
    ctx,
    alternates.map(({ url }) => fileIdOf(keyOf(url))),
  );
  const stored = new Map([...found.values()].map((file) => [file.url, file]));
  for (const [at, { url }] of alternates.entries()) {
    const file = stored.get(url);
    const refuse = (message: string) => {
      throw new AppError("invalid", message, { field: `alternates.${at}.url` });
    };
    if (!file) refuse("This file was deleted. Choose another.");
    else if (!/^(?:audio|video)\//.test(file.type)) refuse("Choose an audio file or a video.");
  }
}

/**
 * Computes the hashes of an episode's further files that have none, after the answer, and expires its item in the feed. If it is
 * interrupted, the minute's tick computes them, and the item has them from its next change.
 */
export async function hashAlternates(ctx: Context, id: number, alternates: Alternate[]) {
  let isNew = false;
  for (const { url } of alternates) isNew = (await hashFile(ctx, keyOf(url))) || isNew;
  if (isNew) await ctx.db.batch([...changedEpisodes(ctx, eq(episodes.id, id))]);
}
