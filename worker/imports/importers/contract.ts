import { z } from "zod";
import { line, webLink } from "#worker/platform/contract.ts";

/** The places whose exports can be read, and their names. */
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

/** The kind of imports that bring articles from other places. */
export const MOVED_ARTICLES = "articles";

/** Pictures of one article; further ones remain links to their old addresses. */
export const MOST_PICTURES = 200;
/** The placeholder of pictures in an article's text, followed by their number, until they are stored. */
export const PICTURE = "https://picture.invalid/";

const address = z.string().max(4000, "An address has at most 4,000 characters.");

/** An item's id in a feed. WordPress allows as many characters; Ghost and Substack need fewer. */
export const Guid = line(255).min(1);

/**
 * An article from another place. Text, tags and other fields are validated item by item by the article's own contract;
 * this one only refuses extreme sizes.
 */
export const MovedArticle = z.strictObject({
  place: z.enum(Object.keys(placeNames) as [PlaceName, ...PlaceName[]]),
  title: z.string().max(2000),
  /** Free at the time of the plan; if it is taken when the item is imported, another one is used. */
  slug: z.string().max(200),
  status: z.enum(["draft", "published", "scheduled"]),
  /** When it was published, or is to be. Milliseconds UTC. */
  at: z.int().nullable(),
  excerpt: z.string().max(10_000),
  /** Markdown, whose pictures are `PICTURE` and a number. */
  content: z.string().max(550_000, "A text has at most 500,000 characters."),
  categoryId: z.int().positive().nullable(),
  tags: z.array(z.string().max(300)).max(200),
  /** The cover's number among the pictures. */
  image: z.int().nonnegative().nullable(),
  imageAlt: z.string().max(2000),
  imageCaption: z.string().max(2000).default(""),
  pictures: z.array(address).max(MOST_PICTURES, `An article has at most ${MOST_PICTURES} pictures.`),
  metaTitle: z.string().max(1000),
  metaDescription: z.string().max(2000),
  /** Where else it was published before. */
  sourceUrl: address.nullable(),
  /** Its id in the old feed; null if unknown. */
  guid: Guid.nullable().default(null),
  /** Addresses that redirect to it: `/slug`, `/2020/01/02/slug/`, `/?p=12`. */
  oldAddresses: z.array(address).max(20),
  /** Notes for the owner. */
  notes: z.array(z.string().max(300)).max(20),
});
export type MovedArticle = z.infer<typeof MovedArticle>;

/** Not an article, but the post of an existing episode, to which the post's addresses redirect. */
export const MovedEpisode = z.strictObject({
  place: z.literal("episode"),
  episodeId: z.int().positive(),
  oldAddresses: MovedArticle.shape.oldAddresses,
});
export type MovedEpisode = z.infer<typeof MovedEpisode>;

/** An item of such an import. */
export const MovedItem = z.discriminatedUnion("place", [MovedArticle, MovedEpisode]);

/** Articles of one request. */
export const KNOWN_ARTICLES = 500;
/** The planned articles: their keys at their place, and their slugs here. */
export const PlannedArticles = z.strictObject({
  keys: z.array(z.string().max(500)).max(KNOWN_ARTICLES),
  /** Feed ids, in the order of the keys: an export and a feed share them. Empty if unknown. */
  guids: z.array(z.string().max(4000)).max(KNOWN_ARTICLES).default([]),
  slugs: z.array(z.string().max(200)).max(KNOWN_ARTICLES),
  /** A podcast's episodes from its site's export: id in the feed and audio address. Empty if unknown. */
  episodes: z
    .array(z.strictObject({ guid: z.string().max(4000), audio: z.string().max(4000) }))
    .max(KNOWN_ARTICLES)
    .default([]),
});
export type PlannedArticles = z.input<typeof PlannedArticles>;

/** A public document of the articles' site. */
export const SiteDocument = z.strictObject({ url: webLink });
export type SiteDocument = z.input<typeof SiteDocument>;
/** Null if the site has no such document. */
export type FetchedDocument = { text: string | null };

/** The key of an article that another Rostrum, or this one, exported. */
export const keyOfOurs = (guid: string) => OURS + guid;
/** The guid in such a key; null for other keys. */
export const guidOfOurs = (key: string) => (key.startsWith(OURS) ? key.slice(OURS.length) : null);
const OURS = "rostrum ";

export type KnownArticles = {
  /** In the order of the keys: the article that was imported from it, or that it is; otherwise null. */
  items: ({ id: number; slug: string } | null)[];
  /** The slugs that other articles have or had. */
  taken: string[];
  /** In the order of the episodes: the id of the matching episode here. */
  episodes?: (number | null)[];
};
