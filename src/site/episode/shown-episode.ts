import { formatSize } from "#site/ui/size.ts";
import type { Discussion, Episode, Generated } from "#worker/episodes/contract.ts";
import { paragraphsOf, type Paragraph } from "#worker/episodes/paragraphs.ts";

/** A row of a list beside an episode's text. Without an address it is not a link. */
export type ShownRow = { label: string; href: string | null; detail: string };

/** What the page shows of an episode, its transcript as paragraphs. */
export type ShownEpisode = Omit<Episode, "transcript" | "people" | "alternates" | "discussions"> & {
  transcript: Paragraph[];
  /** `href`: the person's page here, or their own address. */
  people: ShownRow[];
  /** Absent if there are none, as in most episodes: each byte of a first visit counts. */
  versions?: ShownRow[];
  discussions?: ShownRow[];
  /** What a model wrote, in words; absent unless the owner discloses it. */
  disclosed?: string;
};

/** `generated`: what the owner discloses that a model wrote. */
export const shownEpisode = (
  { transcript, people, alternates, discussions, ...episode }: Episode,
  generated: Generated[],
): ShownEpisode => ({
  ...episode,
  transcript: paragraphsOf(transcript),
  people: people.map(({ name, role, href, page }) => ({ label: name, href: page ?? href, detail: role })),
  ...(alternates.length > 0 && { versions: alternates.map(versionOf) }),
  ...(discussions.length > 0 && { discussions: discussions.map(discussionOf) }),
  ...(generated.length > 0 && { disclosed: disclosureOf(generated) }),
});

/** "Video", "MP4, 720p, 12.0 MB". */
function versionOf({ title, url, type, size, height }: Episode["alternates"][number]): ShownRow {
  const isVideo = type.startsWith("video/");
  const format = url.slice(url.lastIndexOf(".") + 1).toUpperCase();
  const detail = [format, isVideo && height ? `${height}p` : "", formatSize(size)].filter(Boolean).join(", ");
  return { label: title || (isVideo ? "Video" : "Audio"), href: url, detail };
}

/** Servers of the Fediverse, and of Matrix, have names of their own. */
const networks: Partial<Record<Discussion["protocol"], string>> = {
  bluesky: "Bluesky",
  twitter: "X",
  nostr: "Nostr",
};

const discussionOf = ({ protocol, url, account }: Discussion): ShownRow => ({
  label: `Discuss on ${networks[protocol] ?? new URL(url).host}`,
  href: url,
  detail: account,
});

const names: Record<Generated["field"], string> = {
  title: "title",
  description: "summary",
  showNotes: "show notes",
  chapters: "chapters",
  soundbites: "soundbites",
  transcript: "transcript",
  unnamed: "other parts",
};

/** A text that was edited afterwards is named, too. */
function disclosureOf(generated: Generated[]) {
  if (generated.every(({ field }) => field === "unnamed")) return "Made with the help of AI.";
  const list = new Intl.ListFormat("en-AU").format(generated.map(({ field }) => names[field]));
  return `Written with the help of AI: ${list}.`;
}
