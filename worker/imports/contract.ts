import { z } from "zod";
import { Engagement, NewArticle, type ArticleInput } from "#worker/articles/contract.ts";
import { line, ListQuery, webLink } from "#worker/platform/contract.ts";

/** Articles of one request: of a dry run, which only reads, and of a run, which needs several statements for each. */
export const DRY_RUN_ITEMS = 20;
export const RUN_ITEMS = 8;

/**
 * An article of a batch, with its category by name or slug. An existing article with this title gets the given fields;
 * otherwise one is created: a draft, unless `status`, `newStatus` or a date says that it is public.
 */
export const BatchArticle = NewArticle.omit({
  categoryId: true,
  imageFileId: true,
  source: true,
  engagement: true,
  automatic: true,
}).extend({
  category: line(80, "A category has at most 80 characters.").nullable().optional(),
  /** The status of a new article if there is no `status`; an existing one keeps its status. */
  newStatus: z.enum(["draft", "published", "scheduled"]).optional(),
});
export type BatchArticle = z.input<typeof BatchArticle>;
export type ReadBatchArticle = z.output<typeof BatchArticle>;

/** Items are parsed separately: an invalid one does not stop the others. */
export const ArticleBatch = z
  .strictObject({ isDryRun: z.boolean(), items: z.array(z.unknown()).min(1).max(DRY_RUN_ITEMS) })
  .refine(({ isDryRun, items }) => isDryRun || items.length <= RUN_ITEMS, {
    path: ["items"],
    error: `Write at most ${RUN_ITEMS} articles per request.`,
  });
export type ArticleBatch = { isDryRun: boolean; items: BatchArticle[] };

export type BatchResult = {
  title: string;
  /** Whether it succeeded; in a dry run, whether it would. */
  success: boolean;
  /** Null if it is refused. */
  action: "insert" | "update" | "none" | null;
  /** The article's id; null if a dry run would insert it, and if it is refused. */
  id: number | null;
  /** Of an update, the fields that differ. */
  changed: (keyof ArticleInput)[];
  /** In a dry run, its category if that does not exist: the caller creates it first, or leaves it out. */
  missingCategory: string | null;
  /** Why it is refused. */
  message: string | null;
};

/** The address of a LinkedIn post, in the one form that all variants are converted to. */
const postAddress = webLink.overwrite((address) => {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname.replaceAll(/%3A/gi, ":").replace(/\/$/, "") : address;
});

const postUrn = z.string().regex(/^urn:li:(?:share|ugcPost):\w{1,40}$/, "This isn’t a LinkedIn post.");
const imageUrn = z.string().regex(/^urn:li:image:[\w-]{1,100}$/, "This isn’t a LinkedIn picture.");
const reactions = Engagement.pick({ likes: true, comments: true });

/** A post or an article from LinkedIn, from either connector. */
export const LinkedInPost = NewArticle.pick({ title: true, excerpt: true, content: true }).extend({
  sourceUrl: postAddress,
  /** Milliseconds UTC. */
  originalPublishedAt: z.int().positive(),
  /** Whether only its author's connections see it on LinkedIn. */
  isForConnections: z.boolean().default(false),
  /** Its status here; always a draft if only connections see it. */
  status: z.enum(["draft", "published"]).default("draft"),
  /** Only known from the API. */
  urn: postUrn.nullable().default(null),
  engagement: reactions.nullable().default(null),
  image: z.strictObject({ urn: imageUrn, alt: NewArticle.shape.imageAlt.unwrap() }).nullable().default(null),
});
export type LinkedInPost = z.input<typeof LinkedInPost>;
export type ReadLinkedInPost = z.output<typeof LinkedInPost>;

/** How far back posts are read. */
export const LOOKBACK_YEARS = 2;

const NOT_A_PROFILE = "Enter the address of your profile, such as https://www.linkedin.com/in/your-name.";

/** The address of a member's profile, with or without https; parsed to the name in it. */
const profileName = z
  .string(NOT_A_PROFILE)
  .trim()
  .max(500, NOT_A_PROFILE)
  .transform((given, issues) => {
    const { hostname = "", pathname = "" } =
      URL.parse(/^https?:/i.test(given) ? given : `https://${given}`) ?? {};
    const [, kind, name] = /^\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? [];
    if (/(?:^|\.)linkedin\.com$/.test(hostname) && kind === "in" && name) return nameIn(name);
    const isPage =
      /(?:^|\.)linkedin\.com$/.test(hostname) && /^(?:company|school|showcase)$/.test(kind ?? "");
    issues.addIssue(isPage ? `This is a page, not a member’s profile. ${NOT_A_PROFILE}` : NOT_A_PROFILE);
    return z.NEVER;
  });

function nameIn(part: string) {
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

/** A page of the posts that the owner's token may read. */
export const FetchPosts = z.strictObject({
  profileUrl: profileName,
  lookbackYears: z.literal(LOOKBACK_YEARS, `Only posts of the last ${LOOKBACK_YEARS} years are imported.`),
  /** The previous page's `next`. */
  after: z
    .strictObject({
      author: z.string().regex(/^urn:li:person:[\w-]{1,60}$/, "This isn’t a LinkedIn member."),
      start: z.int().min(0).max(100_000),
    })
    .optional(),
});
export type FetchPosts = z.input<typeof FetchPosts>;

/** A post from LinkedIn's API. */
export type SocialPost = {
  urn: string;
  /** Plain text. */
  words: string;
  /** A page that it links to. */
  link: string | null;
  /** Whether it has a video, which is not imported. */
  isFilm: boolean;
  sourceUrl: string;
  /** Milliseconds UTC. */
  originalPublishedAt: number;
  isForConnections: boolean;
  engagement: z.output<typeof reactions> | null;
  image: { urn: string; alt: string } | null;
};

/** Numbers of posts that are not imported, by reason. */
export type LeftOut = { older: number; notOriginal: number; unread: number };

export type FetchedPosts = {
  posts: SocialPost[];
  leftOut: LeftOut;
  next: { author: string; start: number } | null;
};

/** Posts of one request. */
export const KNOWN_POSTS = 500;
export const KnownPosts = z.strictObject({ sourceUrls: z.array(postAddress).max(KNOWN_POSTS) });
export type KnownPosts = z.input<typeof KnownPosts>;

/** `isNew` is false if it existed already, and was not changed. */
export type ImportedPost = { id: number; isNew: boolean };

/**
 * `open`: its items are still being added, and nothing is imported before it starts. `done` and `cancelled` have ended.
 */
export const importStates = ["open", "running", "paused", "done", "cancelled"] as const;
export type ImportState = (typeof importStates)[number];

/**
 * The source is still being read. No list has such an import, no command accepts it, and the sweep deletes one whose
 * request was interrupted.
 */
export const PLANNING = "planning";

/**
 * `skipped`: there is nothing to do, for example because it exists already. `undone`: what was imported is deleted
 * again.
 */
export const itemStates = ["waiting", "working", "done", "skipped", "failed", "undone"] as const;
export type ItemState = (typeof itemStates)[number];

/** An import whose items a browser sends. */
export const NewImport = z.strictObject({
  kind: z.string().regex(/^[a-z][a-z-]{1,30}$/, "There is no such kind of import."),
  /** Its source: an address, or the name of a file. */
  source: line(2000, "The source has at most 2,000 characters.").min(1, "Say what you’re importing."),
});
export type NewImport = z.input<typeof NewImport>;

/** Items of one request, and characters of an item's payload. */
export const ITEMS_A_REQUEST = 100;
export const MAX_PAYLOAD = 600_000;

export const NewItem = z.strictObject({
  /** Unique within the import: sending an item again changes nothing. */
  key: line(500, "A key has at most 500 characters.").min(1, "Each item needs a key."),
  title: line(255, "A title has at most 255 characters."),
  /** Validated by its kind. */
  payload: z.unknown(),
});
export type NewItem = z.input<typeof NewItem>;

export const NewItems = z.strictObject({ items: z.array(NewItem).min(1).max(ITEMS_A_REQUEST) });
export type NewItems = z.input<typeof NewItems>;

export const StartImport = z.strictObject({
  /** Whether all items become drafts, or have the status of their place. */
  as: z.enum(["draft", "itself"]).default("itself"),
  /** Whether existing articles that are texts of episodes are joined with them. */
  articles: z.enum(["join", "keep"]).default("keep"),
});
export type StartImport = z.input<typeof StartImport>;

/** One item that failed, or all of them. */
export const RetryItems = z.strictObject({ item: z.int().positive().optional() });
export type RetryItems = z.input<typeof RetryItems>;

export const ItemListQuery = ListQuery.extend({ state: z.enum(itemStates).optional() });
export type ItemListQuery = z.input<typeof ItemListQuery>;

export const ImportListQuery = ListQuery.extend({ kind: NewImport.shape.kind.optional() });
export type ImportListQuery = z.input<typeof ImportListQuery>;

/** The progress of an import. Times are milliseconds UTC. */
export type ImportProgress = {
  id: number;
  kind: string;
  source: string;
  state: ImportState;
  /** Why it paused automatically. */
  pausedReason: string | null;
  counts: { total: number; done: number; skipped: number; failed: number; undone: number };
  /** Bytes of files: the known total, and those already stored. */
  bytes: { total: number; moved: number };
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** When the owner started to undo it: since then its items are deleted. */
  undoneAt: number | null;
};

/** What undoing an import would do. */
export type UndoPlan = {
  /** Items to be deleted. */
  count: number;
  /** Items that were changed or commented on since, and remain. Only the first titles. */
  changed: { count: number; titles: string[] };
};

export type ImportedItem = {
  id: number;
  key: string;
  title: string;
  state: ItemState;
  /** Why it failed or was skipped, or a note. */
  message: string | null;
  /** The id of what was created. */
  result: string | null;
  attempts: number;
  /** Bytes of its files, if known, and how many are stored. */
  size: number;
  moved: number;
  /** Milliseconds UTC. */
  settledAt: number | null;
};
