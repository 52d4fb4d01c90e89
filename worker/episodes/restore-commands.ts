import { requireCapability } from "#worker/access/capabilities.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { EpisodeChange, EpisodeInput } from "#worker/episodes/contract.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { RestoreInput } from "#worker/revisions/contract.ts";
import { readRevision } from "#worker/revisions/queries.ts";

/**
 * Gives an episode the words, files, numbers and people of a former version, as a new version. Whether, when and where it
 * is published stays as it is, and so does its audio where the former one is gone. A picture that is gone is left out.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` for what is no longer allowed; `conflict` when the
 * episode was changed since `basedOn`, and for the audio of another published or scheduled one
 */
export async function restoreEpisode(ctx: Context, id: number, revisionId: number, input: RestoreInput) {
  requireCapability("edit", ctx);
  const { basedOn } = parseInput(RestoreInput, input);
  const revision = await readRevision(ctx, { kind: "episode", item: id }, revisionId);
  const {
    slug: _slug,
    status: _status,
    publishedAt: _at,
    scheduledFor: _plan,
    audioFileId,
    imageFileId,
    ...content
  } = revision.values as EpisodeInput;
  const stored = await findStoredFiles(
    ctx,
    [audioFileId, imageFileId].filter((fileId) => fileId !== null),
  );
  const isStored = (fileId: string | null) => fileId === null || stored.has(fileId);
  const change: EpisodeChange = {
    ...content,
    ...(isStored(audioFileId) && { audioFileId }),
    imageFileId: isStored(imageFileId) ? imageFileId : null,
    basedOn,
  };
  return updateEpisode(ctx, id, change, { restoredFrom: new Date(revision.savedAt) });
}
