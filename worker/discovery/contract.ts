import { z } from "zod";

export const documentKinds = ["episode", "essay", "press"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** The kinds by which a search can be filtered. */
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

/** Escaped HTML with `<mark>` around the matches. */
type MarkedHtml = string;

/** A published document that matches. */
export type DocumentHit = {
  kind: DocumentKind;
  id: number;
  path: string;
  title: MarkedHtml;
  /** A few lines around the words, or the beginning of the text. */
  excerpt: MarkedHtml;
  /** The people, tags or outlet if they match; otherwise empty. */
  names: MarkedHtml;
  /** Milliseconds UTC. */
  date: number;
};

/** A passage of a transcript, with its time. */
export type MomentHit = {
  episodeId: number;
  episodeTitle: string;
  /** The episode's page at this time. */
  path: string;
  /** Seconds from its beginning. */
  seconds: number;
  speaker: string;
  excerpt: MarkedHtml;
  date: number;
};

export type SearchResults = {
  /** The normalised query. */
  query: string;
  /** The corrected query that was used because the typed one found nothing. */
  correction: string | null;
  documents: DocumentHit[];
  /** The best moment per episode; next to documents only the first few. */
  moments: MomentHit[];
  hasMoreMoments: boolean;
  /** The cursor of the next page: of moments if only those were requested, otherwise of documents. */
  next: string | null;
};

/** The kinds that the owner finds by title. The order is part of the index (search-sources.ts): add at the end. */
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
