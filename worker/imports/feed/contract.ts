import { z } from "zod";
import type {
  Chapter,
  Discussion,
  Funding,
  Person,
  Place,
  RemoteFeed,
  Soundbite,
  Txt,
} from "#worker/episodes/contract.ts";
import type { DateProblem } from "#worker/imports/foreign-date.ts";
import { webLink } from "#worker/platform/contract.ts";

/** The kind of an import. */
export const FEED = "feed";

/** The address of a podcast's feed at its old host. */
export const FeedAddress = z.strictObject({ url: webLink });
export type FeedAddress = z.input<typeof FeedAddress>;

/** A transcript or chapters that a feed links to. */
export type LinkedFile = { url: string; type: string };

/** The address of a person's picture. */
export type Portrait = { name: string; url: string };

/** A further file of an episode: its title may be empty, its bytes 0 if the feed doesn't state them. */
export type FurtherFile = { url: string; title: string; type: string; size: number };

/** An episode as a feed has it. Texts are as they stand there. */
export type FeedEpisode = {
  /** Byte for byte; if the feed has none, the address of the audio, by which apps identify such an episode. */
  guid: string;
  title: string;
  /** Milliseconds UTC; null if missing or unreadable. */
  publishedAt: number | null;
  /** Its date as the feed has it, and why it gives no time. */
  date: { text: string; problem: DateProblem | null };
  link: string;
  /** Where it was at the podcast's own site. Absent in imports from before. */
  oldAddresses?: string[];
  audio: { url: string; type: string; size: number } | null;
  /** Why there is no audio. */
  audioProblem: string | null;
  durationSeconds: number;
  seasonNumber: number | null;
  episodeNumber: number | null;
  episodeType: "full" | "trailer" | "bonus";
  explicit: boolean;
  blocked: boolean;
  /** HTML or plain text. */
  summary: string;
  /** HTML. */
  notes: string;
  /** Of this episode alone. */
  imageUrl: string;
  /** What its picture shows. Absent in imports from before. */
  imageAlt?: string;
  /** Within the feed itself. */
  chapters: Chapter[];
  chaptersFile: LinkedFile | null;
  /** The best first. */
  transcripts: LinkedFile[];
  people: Person[];
  soundbites: Soundbite[];
  /** Absent in imports from before, as the next three. */
  funding?: Funding[];
  places?: Place[];
  discussions?: Discussion[];
  /** Where it is elsewhere. */
  contentLinks?: string[];
  /** Of `people`. Absent in imports from before, as the further files. */
  portraits?: Portrait[];
  furtherFiles?: FurtherFile[];
  /** Whether it discloses the use of AI. Absent in imports from before. */
  isGenerated?: boolean;
  /** What of it is left out or simplified: sentences. */
  omissions: string[];
};

/** What a feed says of the podcast itself, by the names of the show's fields; those that it does not say are absent. */
export type FeedFacts = Partial<{
  title: string;
  subtitle: string;
  description: string;
  author: string;
  ownerName: string;
  ownerEmail: string;
  language: string;
  category: string;
  subcategory: string;
  explicit: boolean;
  type: "episodic" | "serial";
  copyright: string;
  funding: Funding[];
  updateFrequency: string;
  updateRule: string;
  people: Person[];
  complete: boolean;
  blocked: boolean;
  license: string;
  licenseUrl: string;
  places: Place[];
  podroll: RemoteFeed[];
  publisherUrl: string;
  publisherGuid: string;
  txts: Txt[];
  /** podcast:guid. */
  guid: string;
  /** The address of the artwork. */
  artwork: string;
}>;

export const factNames = [
  "title",
  "subtitle",
  "description",
  "author",
  "ownerName",
  "ownerEmail",
  "language",
  "category",
  "subcategory",
  "explicit",
  "type",
  "copyright",
  "funding",
  "updateFrequency",
  "updateRule",
  "people",
  "complete",
  "blocked",
  "license",
  "licenseUrl",
  "places",
  "podroll",
  "publisherUrl",
  "publisherGuid",
  "txts",
  "guid",
  "artwork",
] as const satisfies (keyof FeedFacts)[];
export type FactName = (typeof factNames)[number];

/** Which of the feed's facts the show is to have. */
export const TakenFacts = z.strictObject({
  facts: z.array(z.enum(factNames)).min(1, "Choose what to copy."),
});
export type TakenFacts = z.input<typeof TakenFacts>;

/** What of a feed will be imported, and what will not. */
export type FeedPlan = {
  facts: FeedFacts;
  /** Of the podcast's people. Absent in plans from before. */
  portraits?: Portrait[];
  /** Counts of the episodes to import. */
  counts: {
    episodes: number;
    isHere: number;
    leftOut: number;
    /** Of those, counts by status. Missing in older plans. */
    drafts?: number;
    scheduled?: number;
    /** Whose text is here as an article. */
    articles?: number;
    withoutSize: number;
    chapters: number;
    transcripts: number;
    pictures: number;
  };
  /** Bytes of audio that the feed states. */
  bytes: number;
  /** What is missing, or what an app would refuse: sentences, each with how many it is about. */
  problems: { message: string; count: number }[];
  pages: number;
  /** Pages that could not be read. Absent in plans from before. */
  missingPages?: MissingPage[];
};

/** A page of a feed that could not be read, and why. */
export type MissingPage = { url: string; why: string };

/** A field of an episode that the two feeds have differently. */
export type Difference = { field: string; before: string; after: string };

export type FeedComparison = {
  /** Milliseconds UTC. */
  at: number;
  /** Episodes that both feeds have, and those of them that are alike. */
  compared: number;
  alike: number;
  /** Titles of episodes that only the old feed has, the first hundred. */
  missing: string[];
  missingCount: number;
  /** The first two hundred. */
  differing: { title: string; differences: Difference[] }[];
  differingCount: number;
  /** Pages of the old feed that could not be read. */
  missingPages?: MissingPage[];
};

/** What the import of a feed knows as a whole. */
export type FeedDetails = {
  plan: FeedPlan;
  comparison?: FeedComparison;
  /** The owner wants all of it as drafts. */
  asDrafts?: boolean;
  /** Articles that are the texts of its episodes become drafts, and their addresses lead to the episodes. */
  joinsArticles?: boolean;
};
