import { api, readJson } from "#site/api.ts";
import type { NewEpisode, PublishProblem } from "#worker/episodes/contract.ts";

/**
 * What podcast apps would reject or miss, if this save makes the episode public. Empty when the owner has read it before.
 */
export async function publishProblems(
  form: FormData,
  episode: NewEpisode,
  id?: number,
): Promise<PublishProblem[]> {
  const goesPublic = episode.status === "published" || episode.status === "scheduled";
  if (!goesPublic || episode.status === form.get("savedStatus") || form.has("checked")) return [];
  const { problems } = await readJson(api.episodes.check.$post({ json: { id, episode } }));
  return problems;
}
