import { api, ApiError, readJson } from "#site/api.ts";
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

/** What the button that publishes anyway says of the problems that were read. */
export const confirmationOf = (problems: PublishProblem[]) =>
  problems.some(({ confirms }) => confirms === "allowDuplicateAudio") ? "duplicate" : "yes";

export const confirmedOf = (form: FormData): Pick<NewEpisode, "allowDuplicateAudio"> =>
  form.get("checked") === "duplicate" ? { allowDuplicateAudio: true } : {};

/** The API's refusal, where nothing was asked before: the episode was published already and its audio is new. */
export const isDuplicateAudio = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409 && error.field === "audioFileId";

export const duplicateAudio = ({ message }: ApiError): PublishProblem => ({
  level: "error",
  field: "audioFileId",
  message,
  confirms: "allowDuplicateAudio",
});
