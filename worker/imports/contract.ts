import { z } from "zod";
import { Engagement, NewArticle, type ArticleInput } from "#worker/articles/contract.ts";
import { line, webLink } from "#worker/platform/contract.ts";

/** Articles of one request: of a dry run, which only reads, and of a run, which has some statements for each. */
export const DRY_RUN_ITEMS = 20;
export const RUN_ITEMS = 8;

/**
 * An article of a batch, with its category by name or slug. An article of this title gets the given fields; where there is
 * none, one is made, and published unless `status` or `scheduledFor` says otherwise.
 */
export const BatchArticle = NewArticle.omit({
  categoryId: true,
  imageFileId: true,
  source: true,
  engagement: true,
  automatic: true,
}).extend({ category: line(80, "A category has at most 80 characters.").nullable().optional() });
export type BatchArticle = z.input<typeof BatchArticle>;
export type ReadBatchArticle = z.output<typeof BatchArticle>;

/** Each item is parsed by itself: one that is refused leaves the others. */
export const ArticleBatch = z
  .strictObject({ isDryRun: z.boolean(), items: z.array(z.unknown()).min(1).max(DRY_RUN_ITEMS) })
  .refine(({ isDryRun, items }) => isDryRun || items.length <= RUN_ITEMS, {
    path: ["items"],
    error: `At most ${RUN_ITEMS} articles are written at once.`,
  });
export type ArticleBatch = { isDryRun: boolean; items: BatchArticle[] };

export type BatchResult = {
  title: string;
  /** Whether it was done; in a dry run, whether it would be. */
  success: boolean;
  /** Null where it is refused. */
  action: "insert" | "update" | "none" | null;
  /** Of the article; null of one that a dry run would insert, and where it is refused. */
  id: number | null;
  /** Of an update, the fields that differ. */
  changed: (keyof ArticleInput)[];
  /** Why it is refused. */
  message: string | null;
};

/** A post of LinkedIn's by its address, in the one form that all of them come in. */
const postAddress = webLink.overwrite((address) => {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname.replaceAll(/%3A/gi, ":").replace(/\/$/, "") : address;
});

const postUrn = z.string().regex(/^urn:li:(?:share|ugcPost):\w{1,40}$/);
const imageUrn = z.string().regex(/^urn:li:image:[\w-]{1,100}$/);
const reactions = Engagement.pick({ likes: true, comments: true });

/** A post or an article from LinkedIn, whichever of the connectors found it. */
export const LinkedInPost = NewArticle.pick({ title: true, excerpt: true, content: true }).extend({
  sourceUrl: postAddress,
  /** Milliseconds UTC. */
  originalPublishedAt: z.int().positive(),
  /** Whether only its author's connections see it at LinkedIn. */
  isForConnections: z.boolean().default(false),
  /** What the API alone tells. */
  urn: postUrn.nullable().default(null),
  engagement: reactions.nullable().default(null),
  image: z
    .strictObject({ urn: imageUrn, alt: NewArticle.shape.imageAlt.unwrap() })
    .nullable()
    .default(null),
});
export type LinkedInPost = z.input<typeof LinkedInPost>;
export type ReadLinkedInPost = z.output<typeof LinkedInPost>;

/** How far back posts are looked for. */
export const LOOKBACK_YEARS = 2;

const NOT_A_PROFILE =
  "Enter the address of your profile, such as https://www.linkedin.com/in/your-name.";

/** A member's profile by its address, with or without https; read as the name in it. */
const profileName = z.string(NOT_A_PROFILE).trim().max(500, NOT_A_PROFILE).transform((given, issues) => {
  const { hostname = "", pathname = "" } = URL.parse(/^https?:/i.test(given) ? given : `https://${given}`) ?? {};
  const [, kind, name] = /^\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (/(?:^|\.)linkedin\.com$/.test(hostname) && kind === "in" && name) return nameIn(name);
  const isPage = /(?:^|\.)linkedin\.com$/.test(hostname) && /^(?:company|school|showcase)$/.test(kind ?? "");
  issues.addIssue(isPage ? `That is a page, and no member’s own profile. ${NOT_A_PROFILE}` : NOT_A_PROFILE);
  return z.NEVER;
});

function nameIn(part: string) {
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

/** A page of the posts that the owner's token leads to. */
export const FetchPosts = z.strictObject({
  profileUrl: profileName,
  lookbackYears: z.literal(LOOKBACK_YEARS),
  /** A former answer's `next`. */
  after: z
    .strictObject({ author: z.string().regex(/^urn:li:person:[\w-]{1,60}$/), start: z.int().min(0).max(100_000) })
    .optional(),
});
export type FetchPosts = z.input<typeof FetchPosts>;

/** A post as LinkedIn's API tells of it. */
export type SocialPost = {
  urn: string;
  /** Plain text. */
  words: string;
  /** A page that it leads to. */
  link: string | null;
  /** Of what it shows besides words; it stays at LinkedIn. */
  isFilm: boolean;
  sourceUrl: string;
  /** Milliseconds UTC. */
  originalPublishedAt: number;
  isForConnections: boolean;
  engagement: z.output<typeof reactions> | null;
  image: { urn: string; alt: string } | null;
};

/** What is no post to import, by the reason. */
export type LeftOut = { older: number; notOriginal: number; unread: number };

export type FetchedPosts = {
  posts: SocialPost[];
  leftOut: LeftOut;
  next: { author: string; start: number } | null;
};

/** Posts that one request asks about. */
export const KNOWN_POSTS = 500;
export const KnownPosts = z.strictObject({ sourceUrls: z.array(postAddress).max(KNOWN_POSTS) });
export type KnownPosts = z.input<typeof KnownPosts>;

/** `isNew` is false where it was there already, and is left as it is. */
export type ImportedPost = { id: number; isNew: boolean };
