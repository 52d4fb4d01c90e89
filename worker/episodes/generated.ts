import { generatedFields, type EpisodeInput, type Generated } from "#worker/episodes/contract.ts";

/** One mark for each field that has something, in the order of the fields: the last that is given. */
export const marksOf = (episode: Pick<EpisodeInput, Generated["field"] | "generated">) =>
  generatedFields.flatMap(
    (field) =>
      (episode[field].length > 0 && episode.generated.findLast((mark) => mark.field === field)) || [],
  );
