import { readForeignDate } from "#worker/imports/foreign-date.ts";
import type { NewCategory } from "#worker/articles/contract.ts";
import type { MovedArticle, PlaceName } from "#worker/imports/importers/contract.ts";

/** A post or page as its place exports it. */
export type ForeignPost = {
  /** What it is known by, in any export and among all sites. */
  key: string;
  kind: "post" | "page";
  title: string;
  /** As it is at its place. */
  slug: string;
  status: MovedArticle["status"];
  /** Milliseconds UTC. */
  at: number | null;
  excerpt: string;
  text: ForeignText;
  tags: string[];
  /** By name, the first the most important. */
  categories: string[];
  /** The address is empty while it is not known yet. */
  image: { url: string; alt: string; caption?: string } | null;
  metaTitle: string;
  metaDescription: string;
  /** Where it had appeared before it was there. */
  sourceUrl: string | null;
  authors: string[];
  /** What its place's feed knows it by; a path of the old site where that is its address. Null where nobody knows. */
  guid: string | null;
  /** Paths on the old site, and queries of its home page. The first is its own. */
  addresses: string[];
  /** Of a podcast's episode, whose audio its feed has. The address is null where the export does not tell it. */
  audio?: { url: string | null; feed: string | null };
  notes: string[];
  /** What it shows may come further down in the export. */
  isPending?: boolean;
};

export const EPISODE = "It’s an episode: its audio isn’t in the export, and comes with the podcast’s feed.";

/** A text as its place exports it. Markdown is our own, or that of another program. */
export type ForeignText = { html: string } | { markdown: string; isForeign?: true };

/** Of a public post with parts that not everyone saw. */
export const PARTS_CLOSED = "Parts of it were for members only, so it’s imported as a draft.";

/** What is left out, and why. */
export type LeftOut = { title: string; why: string };

export type Read = { post: ForeignPost } | { leftOut: LeftOut };

/** An export that can be gone through from its beginning, more than once, so that nobody holds all of it. */
export type Source = {
  place: PlaceName;
  fileName: string;
  /** Of the old site; null while the export does not tell. */
  siteUrl: () => string | null;
  /** Whether pictures are found only with the address of the old site. */
  needsSite: boolean;
  /** Lists of subscribers that came along. */
  lists: File[];
  /** The place's categories, which are made here where there are none of their names. */
  categories?: NewCategory[];
  /** @param onProgress Is told which part of it was read. */
  read: (onProgress: (part: number) => void) => AsyncGenerator<Read>;
  /** What is to be said of the export as a whole, once it was read. */
  remarks: () => string[];
  close: () => Promise<void>;
};

/** Milliseconds UTC of a date as its place writes it, in UTC where it names no zone; null for none that can be read. */
export const timeOf = (value: unknown) => readForeignDate(value, { timeZone: "UTC" }).at;

/** A post whose date is not told, or is older than this site takes, is nothing to publish by itself. */
export const withDate = (post: ForeignPost): ForeignPost =>
  post.status === "draft" || post.at !== null
    ? post
    : { ...post, status: "draft", notes: [...post.notes, UNDATED] };

const UNDATED = "Its date is missing, can’t be read or is before 1970, so it’s imported as a draft.";

/** Of an export by several people, who wrote a post: names of authors do not come. */
export const authorNotes = (authors: string[], inAll: number) =>
  inAll > 1 && authors.length > 0
    ? [`Its author isn’t named here: ${authors.join(", ").slice(0, 200)}.`]
    : [];

/** A pause in which the page can answer presses. */
export const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A copy by itself: a text that was cut out of a longer one may keep all of that in memory. */
export const apart = <T>(value: T): T => structuredClone(value);
