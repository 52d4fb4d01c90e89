import type { Episode } from "#worker/episodes/contract.ts";
import { paragraphsOf, type Paragraph } from "#worker/episodes/paragraphs.ts";

/** The episode with its transcript as paragraphs. */
export type ShownEpisode = Omit<Episode, "transcript"> & { transcript: Paragraph[] };

export const shownEpisode = ({ transcript, ...episode }: Episode): ShownEpisode => ({
  ...episode,
  transcript: paragraphsOf(transcript),
});
