import { z } from "zod";

export const documentKinds = ["episode", "essay", "press"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** What a search may be narrowed to. */
export const searchKinds = [...documentKinds, "transcript"] as const;
export type SearchKind = (typeof searchKinds)[number];

export const SearchQuery = z.strictObject({
  q: z.string().max(1000, "Search for at most 1,000 characters.").default(""),
  /** All kinds when absent. */
  kind: z.enum(searchKinds).optional(),
  /** The previous page's `next`. */
  before: z.string().max(60).optional(),
});
export type SearchQuery = z.input<typeof SearchQuery>;

/** HTML that is escaped but for `<mark>` around the words that were found. */
type MarkedHtml = string;

/** A published document that has the words. */
export type DocumentHit = {
  kind: DocumentKind;
  id: number;
  path: string;
  title: MarkedHtml;
  /** A few lines around the words, or the beginning of the text. */
  excerpt: MarkedHtml;
  /** The people, tags or outlet among which the words are; empty when they are not. */
  names: MarkedHtml;
  /** Milliseconds UTC. */
  date: number;
};

/** A passage of a transcript, with its time. */
export type MomentHit = {
  episodeId: number;
  episodeTitle: string;
  /** The episode's page, beginning there. */
  path: string;
  /** Seconds from its beginning. */
  seconds: number;
  speaker: string;
  excerpt: MarkedHtml;
  date: number;
};

export type SearchResults = {
  /** What was looked for, without what no search needs. */
  query: string;
  /** The corrected query that was searched for, where the typed one found nothing. */
  correction: string | null;
  documents: DocumentHit[];
  /** The best of each episode; beside documents only the first few. */
  moments: MomentHit[];
  hasMoreMoments: boolean;
  /** The cursor of what follows: of moments when only those were asked for, else of documents. */
  next: string | null;
};

/** What the owner edits and finds by its title. The order is part of the index (search-sources.ts): add at the end. */
export const ownedKinds = [
  "article",
  "episode",
  "press",
  "campaign",
  "venture",
  "engagement",
  "category",
  "letter",
] as const;
export type OwnedKind = (typeof ownedKinds)[number];

export const OwnerSearchQuery = z.strictObject({
  q: z.string().max(1000, "Search for at most 1,000 characters.").default(""),
});
export type OwnerSearchQuery = z.input<typeof OwnerSearchQuery>;

export type OwnedHit = { kind: OwnedKind; id: number; title: string };
export type UserHit = { kind: "user"; id: string; title: string };
export type OwnerHit = OwnedHit | UserHit;
