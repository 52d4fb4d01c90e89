import { z } from "zod";
import { line, webLink } from "#worker/platform/contract.ts";

/** The places whose exports are read, as they are called. */
export const placeNames = {
  rostrum: "another Rostrum",
  ghost: "Ghost",
  substack: "Substack",
  wordpress: "WordPress",
  medium: "Medium",
  blogger: "Blogger",
  beehiiv: "beehiiv",
  buttondown: "Buttondown",
  feed: "a feed",
} as const;
export type PlaceName = keyof typeof placeNames;

/** The kind of the imports that bring articles from elsewhere. */
export const MOVED_ARTICLES = "articles";

/** Of one article; the links to those after them stay links to where they were. */
export const MOST_PICTURES = 200;
/** How an article's text names its pictures by their number, until they are here. */
export const PICTURE = "https://picture.invalid/";

const address = z.string().max(4000, "An address has at most 4,000 characters.");

/** What a feed knows an item by. WordPress has room for as many characters; Ghost and Substack need fewer. */
export const Guid = line(255).min(1);

/**
 * An article from another place. What its text, tags and so on may be is for the article's own contract to say, item by
 * item: here only what is beyond all measure is refused.
 */
export const MovedArticle = z.strictObject({
  place: z.enum(Object.keys(placeNames) as [PlaceName, ...PlaceName[]]),
  title: z.string().max(2000),
  /** Free when it was planned; another is found if it is taken meanwhile. */
  slug: z.string().max(200),
  status: z.enum(["draft", "published", "scheduled"]),
  /** When it went out, or is to. Milliseconds UTC. */
  at: z.int().nullable(),
  excerpt: z.string().max(10_000),
  /** Markdown, whose pictures are `PICTURE` and a number. */
  content: z.string().max(550_000, "A text has at most 500,000 characters."),
  categoryId: z.int().positive().nullable(),
  tags: z.array(z.string().max(300)).max(200),
  /** Its number among the pictures. */
  image: z.int().nonnegative().nullable(),
  imageAlt: z.string().max(2000),
  imageCaption: z.string().max(2000).default(""),
  pictures: z.array(address).max(MOST_PICTURES, `An article has at most ${MOST_PICTURES} pictures.`),
  metaTitle: z.string().max(1000),
  metaDescription: z.string().max(2000),
  /** Where else it had appeared before. */
  sourceUrl: address.nullable(),
  /** What its old feed knew it by; null where nobody knows. */
  guid: Guid.nullable().default(null),
  /** What leads to it from now on: `/slug`, `/2020/01/02/slug/`, `/?p=12`. */
  oldAddresses: z.array(address).max(20),
  /** What its owner is to know of it. */
  notes: z.array(z.string().max(300)).max(20),
});
export type MovedArticle = z.infer<typeof MovedArticle>;

/** What was an article's place as well: an episode that is here, to which the addresses of its post lead from now on. */
export const MovedEpisode = z.strictObject({
  place: z.literal("episode"),
  episodeId: z.int().positive(),
  oldAddresses: MovedArticle.shape.oldAddresses,
});
export type MovedEpisode = z.infer<typeof MovedEpisode>;

/** An item of such an import. */
export const MovedItem = z.discriminatedUnion("place", [MovedArticle, MovedEpisode]);

/** Articles that one request asks about. */
export const KNOWN_ARTICLES = 500;
/** What is planned: the keys that articles have at their place, and the addresses that they would get here. */
export const PlannedArticles = z.strictObject({
  keys: z.array(z.string().max(500)).max(KNOWN_ARTICLES),
  /** By the order of the keys, what feed readers know them by: an export and a feed have the same. Empty where unknown. */
  guids: z.array(z.string().max(4000)).max(KNOWN_ARTICLES).default([]),
  slugs: z.array(z.string().max(200)).max(KNOWN_ARTICLES),
  /** Of a podcast, as its site exports them: what its feed knows them by, and where their audio is. Empty where unknown. */
  episodes: z
    .array(z.strictObject({ guid: z.string().max(4000), audio: z.string().max(4000) }))
    .max(KNOWN_ARTICLES)
    .default([]),
});
export type PlannedArticles = z.input<typeof PlannedArticles>;

/** A public document of the site that articles come from. */
export const SiteDocument = z.strictObject({ url: webLink });
export type SiteDocument = z.input<typeof SiteDocument>;
/** Null where the site has nothing there. */
export type FetchedDocument = { text: string | null };

/** The key of an article that another site like this one exported, or this one did. */
export const keyOfOurs = (guid: string) => OURS + guid;
/** What such a key was made of; null for another. */
export const guidOfOurs = (key: string) => (key.startsWith(OURS) ? key.slice(OURS.length) : null);
const OURS = "rostrum ";

export type KnownArticles = {
  /** By the order of the keys: the article that was made of it, if one was, or that it is. */
  items: ({ id: number; slug: string } | null)[];
  /** Those of the slugs that other articles have, or had. */
  taken: string[];
  /** By the order of the episodes: the id of the one that is here. */
  episodes?: (number | null)[];
};
