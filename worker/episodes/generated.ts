import { markedFields, UNNAMED, type EpisodeInput, type GeneratedField } from "#worker/episodes/contract.ts";

/** One mark for each field that has something, in the order of the fields: the last that is given. */
export const marksOf = (episode: Pick<EpisodeInput, GeneratedField | "generated">) =>
  markedFields.flatMap(
    (field) =>
      ((field === UNNAMED || episode[field].length > 0) &&
        episode.generated.findLast((mark) => mark.field === field)) ||
      [],
  );
