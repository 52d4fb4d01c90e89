import type { Episode, Generated } from "#worker/episodes/contract.ts";
import { paragraphsOf, type Paragraph } from "#worker/episodes/paragraphs.ts";

/** What the page shows of an episode, its transcript as paragraphs. */
export type ShownEpisode = Omit<Episode, "transcript" | "people"> & {
  transcript: Paragraph[];
  /** `href`: the person's page here, or their own address. */
  people: { name: string; role: string; href: string | null }[];
  /** What a model wrote, in words; absent unless the owner discloses it. */
  disclosed?: string;
};

/** `generated`: what the owner discloses that a model wrote. */
export const shownEpisode = (
  { transcript, people, ...episode }: Episode,
  generated: Generated[],
): ShownEpisode => ({
  ...episode,
  transcript: paragraphsOf(transcript),
  people: people.map(({ name, role, href, page }) => ({ name, role, href: page ?? href })),
  ...(generated.length > 0 && { disclosed: disclosureOf(generated) }),
});

const names: Record<Generated["field"], string> = {
  title: "title",
  description: "summary",
  showNotes: "show notes",
  chapters: "chapters",
  soundbites: "soundbites",
  transcript: "transcript",
};

/** True of what was edited since, too. */
function disclosureOf(generated: Generated[]) {
  const list = new Intl.ListFormat("en-AU").format(generated.map(({ field }) => names[field]));
  return `Written with the help of AI: ${list}.`;
}
