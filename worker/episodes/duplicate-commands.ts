import { createEpisode } from "#worker/episodes/commands.ts";
import type { EditableEpisode } from "#worker/episodes/contract.ts";
import { readEpisodeDefaults, readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { copyTitle } from "#worker/platform/text/excerpt.ts";

/**
 * Writes a draft with an episode's words, people and picture, and the next number. What belongs to the one recording is
 * not copied: the audio and what is set by ear, links to it elsewhere, its GUID, address, dates and status.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function duplicateEpisode(ctx: Context, id: number): Promise<EditableEpisode> {
  const [{ values }, next] = await Promise.all([readEpisodeForEdit(ctx, id), readEpisodeDefaults(ctx)]);
  const { title, description, showNotes, episodeType, explicit, blocked, imageFileId, imageAlt } = values;
  const isTrailer = episodeType === "trailer";
  return createEpisode(ctx, {
    title: copyTitle(title, 255),
    description,
    showNotes,
    episodeType,
    seasonNumber: isTrailer ? values.seasonNumber : next.seasonNumber,
    episodeNumber: isTrailer ? null : next.episodeNumber,
    explicit,
    blocked,
    imageFileId,
    imageAlt,
    people: values.people,
    generated: values.generated,
  });
}
