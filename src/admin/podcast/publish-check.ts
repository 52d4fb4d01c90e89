import { api, readJson } from "#site/api.ts";
import type { NewEpisode, PublishProblem } from "#worker/episodes/contract.ts";

/**
 * What the owner should read before this save makes the episode public: empty when it does not, when nothing is wrong,
 * and when the owner has read it.
 */
export async function publishProblems(
  form: FormData,
  episode: NewEpisode,
  id?: number,
): Promise<PublishProblem[]> {
  const goesPublic = episode.status === "published" || episode.status === "scheduled";
  // Who overwrites a newer version has been asked before.
  const isRead = form.has("checked") || form.has("overwrite");
  if (!goesPublic || episode.status === form.get("savedStatus") || isRead) return [];
  const { problems } = await readJson(api.episodes.check.$post({ json: { id, episode } }));
  return problems;
}
