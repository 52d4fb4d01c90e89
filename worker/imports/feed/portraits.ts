import type { Portrait } from "#worker/imports/feed/contract.ts";
import { movePicture } from "#worker/imports/feed/side-files.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { findNamesWithProfile } from "#worker/profiles/queries.ts";

/** Those whose people have no profile here: what the owner wrote of a person, or left out, stays. */
export async function withoutProfile(ctx: Context, portraits: Portrait[]) {
  if (portraits.length === 0) return [];
  const known = await findNamesWithProfile(
    ctx,
    portraits.map(({ name }) => name),
  );
  return portraits.filter(({ name }) => !known.has(name));
}

/**
 * Gives a person a profile with this picture. Twice is once.
 * @throws {HostError}; `invalid`, `unsupported_type` if it is not a picture, or if the name has no letters
 */
export async function movePortrait(ctx: Context, { name, url }: Portrait, importId: number) {
  const imageFileId = await movePicture(ctx, url, importId);
  await createProfile(ctx, { name, imageFileId }).catch((error: unknown) => {
    // Another item of the import has created it.
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
  });
}
