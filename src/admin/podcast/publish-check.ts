import { api, readJson } from "#site/api.ts";
import type { EpisodeStatus, NewEpisode, PublishProblem } from "#worker/episodes/contract.ts";

/** What the owner should read before this save makes the episode public; nothing once it was read, or when it does not. */
export async function publishProblems(
  form: FormData,
  episode: NewEpisode,
  before: EpisodeStatus,
  id?: number,
): Promise<PublishProblem[]> {
  const goesPublic = episode.status === "published" || episode.status === "scheduled";
  if (!goesPublic || episode.status === before || form.has("checked")) return [];
  const { problems } = await readJson(api.episodes.check.$post({ json: { id, episode } }));
  return problems;
}
