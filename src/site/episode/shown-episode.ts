import type { Episode } from "#worker/episodes/contract.ts";
import { paragraphsOf, type Paragraph } from "#worker/episodes/paragraphs.ts";

/** What the page shows of an episode, its transcript as paragraphs. */
export type ShownEpisode = Omit<Episode, "transcript" | "people"> & {
  transcript: Paragraph[];
  /** `href`: the person's page here, or their own address. */
  people: { name: string; role: string; href: string | null }[];
};

export const shownEpisode = ({ transcript, people, ...episode }: Episode): ShownEpisode => ({
  ...episode,
  transcript: paragraphsOf(transcript),
  people: people.map(({ name, role, href, page }) => ({ name, role, href: page ?? href })),
});
