import { readForeignDate } from "#worker/imports/foreign-date.ts";
import type { NewCategory } from "#worker/articles/contract.ts";
import type { MovedArticle, PlaceName } from "#worker/imports/importers/contract.ts";

/** A post or page as its place exports it. */
export type ForeignPost = {
  /** Its id, the same in every export and unique among all sites. */
  key: string;
  kind: "post" | "page";
  title: string;
  /** Its slug at its place. */
  slug: string;
  status: MovedArticle["status"];
  /** Milliseconds UTC. */
  at: number | null;
  excerpt: string;
  text: ForeignText;
  tags: string[];
  /** By name, the most important first. */
  categories: string[];
  /** The address is empty while it is unknown. */
  image: { url: string; alt: string; caption?: string } | null;
  metaTitle: string;
  metaDescription: string;
  /** Where it was published before. */
  sourceUrl: string | null;
  authors: string[];
  /** Its guid in the old feed; a path of the old site if the guid is its address. Null if unknown. */
  guid: string | null;
  /** Paths on the old site, and queries of its home page. The first is its main address. */
  addresses: string[];
  /** For a podcast's episode, whose audio is in its feed. The address is null if the export has none. */
  audio?: { url: string | null; feed: string | null };
  notes: string[];
  /** It shows something that may follow later in the export. */
  isPending?: boolean;
};

export const EPISODE = "It’s an episode: its audio isn’t in the export, and comes with the podcast’s feed.";

/** A text as its place exports it. Markdown is our own, or with `isForeign` that of another program. */
export type ForeignText = { html: string } | { markdown: string; isForeign?: true };

/** Of a public post with parts that not everyone saw. */
export const PARTS_CLOSED = "Parts of it were for members only, so it’s imported as a draft.";

/** A post that is left out, and the reason. */
export type LeftOut = { title: string; why: string };

export type Read = { post: ForeignPost } | { leftOut: LeftOut };

/** An export that can be read from the start more than once, so that it never needs to be completely in memory. */
export type Source = {
  place: PlaceName;
  fileName: string;
  /** Of the old site; null until it is found in the export. */
  siteUrl: () => string | null;
  /** Whether the addresses of pictures need the old site's address. */
  needsSite: boolean;
  /** Lists of subscribers in the export. */
  lists: File[];
  /** The place's categories, which are created here if none has the same name. */
  categories?: NewCategory[];
  /** @param onProgress Called with the part that has been read, from 0 to 1. */
  read: (onProgress: (part: number) => void) => AsyncGenerator<Read>;
  /** Notes about the export as a whole, after it was read. */
  remarks: () => string[];
  close: () => Promise<void>;
};

/** Milliseconds UTC of a date from a place, in UTC if it names no zone; null if it is missing or unreadable. */
export const timeOf = (value: unknown) => readForeignDate(value, { timeZone: "UTC" }).at;

/** Makes a post a draft if its date is missing or unreadable, or older than this site accepts. */
export const withDate = (post: ForeignPost): ForeignPost =>
  post.status === "draft" || post.at !== null
    ? post
    : { ...post, status: "draft", notes: [...post.notes, UNDATED] };

const UNDATED = "Its date is missing, can’t be read or is before 1970, so it’s imported as a draft.";

/** A note with the authors of a post, if the export has several: authors' names are not imported. */
export const authorNotes = (authors: string[], inAll: number) =>
  inAll > 1 && authors.length > 0
    ? [`Its author isn’t named here: ${authors.join(", ").slice(0, 200)}.`]
    : [];

/** A pause in which the page can respond to input. */
export const breathe = () => new Promise<void>((resolve) => setTimeout(resolve));

/** A separate copy: a text that was cut out of a longer one may keep all of that in memory. */
export const apart = <T>(value: T): T => structuredClone(value);
