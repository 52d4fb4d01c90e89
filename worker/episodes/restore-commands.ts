import { requireCapability } from "#worker/access/capabilities.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { EpisodeChange, EpisodeInput } from "#worker/episodes/contract.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { RestoreInput } from "#worker/revisions/contract.ts";
import { readRevision } from "#worker/revisions/queries.ts";

/**
 * Restores an episode's texts, files, numbers and people of a former version, as a new version. Status, dates and slug
 * do not change, nor does its audio if the former one is deleted. A deleted picture is omitted.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` for values that are no longer allowed; `conflict` if
 * the episode was changed since `basedOn`, and for the audio of another published or scheduled one
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
