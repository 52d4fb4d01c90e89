import { api, ApiError, readJson } from "#site/api.ts";
import { readForm } from "../form/read.ts";
import { episodeForm } from "./episode-input.ts";
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

/** The same for what the form holds. */
export async function problemsIn(form: FormData, id?: number): Promise<PublishProblem[]> {
  const read = readForm(form, episodeForm);
  if ("errors" in read) return [];
  return (await readJson(api.episodes.check.$post({ json: { id, episode: read.input } }))).problems;
}

export const confirmedOf = (form: FormData): Pick<NewEpisode, "allowDuplicateAudio"> =>
  form.get("checked") === "duplicate" ? { allowDuplicateAudio: true } : {};

/** The API's refusal without a confirmation before: the episode was already published and its audio is new. */
export const isDuplicateAudio = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409 && error.field === "audioFileId";

export const duplicateAudio = ({ message }: ApiError): PublishProblem => ({
  level: "error",
  field: "audioFileId",
  message,
  confirms: "allowDuplicateAudio",
});
