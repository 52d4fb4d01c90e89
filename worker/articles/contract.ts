import { z } from "zod";
import type { Picture, StoredFile } from "#worker/files/contract.ts";
import {
  draftKey,
  fileId,
  line,
  lines,
  ListQuery,
  markdown,
  rowId,
  slug,
  webLink,
} from "#worker/platform/contract.ts";

export const articleStatuses = ["draft", "published", "scheduled", "archived"] as const;
export type ArticleStatus = (typeof articleStatuses)[number];
const articleSources = ["original", "linkedin"] as const;
export type ArticleSource = (typeof articleSources)[number];

/** Which published articles a list shows. */
export const articleFilters = ["all", "linkedin", "original"] as const;
export type ArticleFilter = (typeof articleFilters)[number];

const count = z.int().min(0).max(1_000_000_000);
export const Engagement = z.strictObject({ likes: count, comments: count, shares: count });
export type Engagement = z.infer<typeof Engagement>;

/** Markdown. */
const content = markdown(500_000, "An article has at most 500,000 characters.");

/** The fields that the owner edits. */
const ArticleFields = z.strictObject({
  title: line(255, "A title has at most 255 characters.").min(1, "Title is required"),
  /** Derived from the title when empty. */
  slug,
  /** Plain text: the standfirst, lists and previews. */
  excerpt: lines(1000, "An excerpt has at most 1,000 characters."),
  content,
  status: z.enum(articleStatuses),
  /** Milliseconds UTC. Null becomes the moment of publishing. */
  publishedAt: z.int().positive().nullable(),
  /** Milliseconds UTC; null unless the status is scheduled. */
  scheduledFor: z.int().positive().nullable(),
  categoryId: z.int().positive().nullable(),
  tags: z
    .array(line(60, "A tag has at most 60 characters.").min(1, "A tag needs a word."))
    .max(20, "An article has at most 20 tags."),
  imageFileId: fileId,
  imageAlt: line(300, "A picture's description has at most 300 characters."),
  /** Shown below the picture on the article's page. */
  imageCaption: line(300, "A caption has at most 300 characters."),
  /** Empty ones fall back to the title and the excerpt. */
  metaTitle: line(255),
  metaDescription: lines(500),
  metaKeywords: lines(500),
  source: z.enum(articleSources),
  /** The address where it first appeared. */
  sourceUrl: webLink.nullable(),
  engagement: Engagement.nullable(),
  /** Milliseconds UTC. */
  originalPublishedAt: z.int().positive().nullable(),
});
export type ArticleInput = z.infer<typeof ArticleFields>;

/** An autosave: it changes drafts only. */
const automatic = z.boolean().optional();

/** Only the title is required; the rest has `articleDefaults`. */
export const NewArticle = ArticleFields.partial().required({ title: true }).extend({ automatic, draftKey });
export type NewArticle = z.input<typeof NewArticle>;

export const articleDefaults: Omit<ArticleInput, "title"> = {
  slug: "",
  excerpt: "",
  content: "",
  status: "draft",
  publishedAt: null,
  scheduledFor: null,
  categoryId: null,
  tags: [],
  imageFileId: null,
  imageAlt: "",
  imageCaption: "",
  metaTitle: "",
  metaDescription: "",
  metaKeywords: "",
  source: "original",
  sourceUrl: null,
  engagement: null,
  originalPublishedAt: null,
};

/** Only the given fields change. */
export const ArticleChange = ArticleFields.partial().extend({
  /** The `updatedAt` of the version that was edited; a newer one is not overwritten. */
  basedOn: z.int().positive().optional(),
  automatic,
});
export type ArticleChange = z.input<typeof ArticleChange>;

export const ArticlePreviewInput = z.strictObject({ content });
export type ArticlePreviewInput = z.input<typeof ArticlePreviewInput>;

/** The preview of the article's page. */
export type ArticlePreview = {
  /** Sanitised HTML. */
  html: string;
  readingMinutes: number;
};

/** An article in the owner's list. */
export type ArticleRow = {
  id: number;
  slug: string;
  title: string;
  status: ArticleStatus;
  source: ArticleSource;
  /** Milliseconds UTC. */
  publishedAt: number | null;
  scheduledFor: number | null;
  updatedAt: number;
  category: { name: string; color: string } | null;
};

/** An article as the owner edits it. */
export type EditableArticle = {
  id: number;
  slug: string;
  /** Milliseconds UTC; what an update is based on. */
  updatedAt: number;
  readingMinutes: number;
  viewCount: number;
  values: ArticleInput;
  image: StoredFile | null;
};

/** The same with the last editor; null if unknown or a job. */
export type OpenedArticle = EditableArticle & {
  savedBy: string | null;
  /** Empty for a draft whose slug is derived from its title. */
  chosenSlug: string;
};

const CategoryFields = z.strictObject({
  name: line(80, "A name has at most 80 characters.").min(1, "Name is required"),
  /** Derived from the name when empty. */
  slug,
  description: lines(500),
  color: z.string().regex(/^#[0-9a-f]{6}$/i, "Choose a colour such as #6366f1."),
});

export const categoryDefaults = { slug: "", description: "", color: "#6366f1" };

/** Only the name is required; the rest has `categoryDefaults`. */
export const NewCategory = CategoryFields.partial().required({ name: true });
export type NewCategory = z.input<typeof NewCategory>;

/** `basedOn` is the `updatedAt` that the change was made from; refused when there is a newer one. */
export const CategoryChange = CategoryFields.partial().extend({ basedOn: z.int().nonnegative().optional() });
export type CategoryChange = z.input<typeof CategoryChange>;

/** Characters. */
const LONGEST_OLD_ADDRESS = 500;

/** WordPress's query for a post at its home page, which may be in a folder. */
const POST_NUMBER = /^(?:\/[^?#]*)?\?(?:[^#]*&)?(p|page_id)=(\d{1,12})(?:[&#]|$)/;

/**
 * The normal form of an address on another site: its lower-case path without a trailing slash, or the number of a post.
 * Null for a home page or an invalid address.
 */
export function oldAddressOf(address: string): string | null {
  const [, name, number] = POST_NUMBER.exec(address) ?? [];
  if (name) return `/?${name}=${number}`;
  const path = decoded(address.replace(/[?#].*$/s, ""))
    .toLowerCase()
    .replace(/\/+$/, "");
  return /^\/[^/]/.test(path) && path.length <= LONGEST_OLD_ADDRESS ? path : null;
}

function decoded(path: string) {
  try {
    return decodeURI(path).normalize("NFC");
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

/** The input of a slice of upkeep, in the order of article ids. */
export const UpkeepInput = z.strictObject({
  /** The id of the last processed article; 0 at first. */
  after: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
});
export type UpkeepInput = z.input<typeof UpkeepInput>;

export const RenderInput = UpkeepInput.extend({
  /** `reading-time` does not change the rendered text. */
  part: z.enum(["reading-time", "all"]),
});
export type RenderInput = z.input<typeof RenderInput>;

/** An article processed by a slice of upkeep. */
export type UpkeepItem = {
  id: number;
  title: string;
  isChanged: boolean;
  /** Its problems, each with the link or picture concerned. */
  findings: { message: string; where: string | null }[];
};

/** `next` is the `after` of the next slice; null at the end. */
export type UpkeepSlice = { items: UpkeepItem[]; next: number | null };

export type ArticleCategory = { name: string; slug: string; color: string };
/** A category as the owner edits it. `updatedAt` is in milliseconds UTC. */
export type Category = ArticleCategory & { id: number; description: string; updatedAt: number };

/** The query of the owner's list. */
export const ArticleListQuery = ListQuery.extend({
  /** Words of title, excerpt or text; the last one may be unfinished. */
  q: z.string().max(1000).optional(),
  status: z.enum(articleStatuses).optional(),
  source: z.enum(articleSources).optional(),
  category: rowId.optional(),
});
export type ArticleListQuery = z.output<typeof ArticleListQuery>;

/** A published article in a list. */
export type ArticleSummary = {
  id: number;
  slug: string;
  title: string;
  excerpt: string;
  /** Milliseconds UTC. */
  publishedAt: number;
  readingMinutes: number;
  category: ArticleCategory | null;
  picture: Picture | null;
  source: ArticleSource;
  sourceUrl: string | null;
  engagement: Engagement;
};

/** What an article's own page shows. */
export type ShownArticle = ArticleSummary & {
  /** Sanitised HTML. */
  contentHtml: string;
  imageCaption: string;
  tags: string[];
  originalPublishedAt: number | null;
};

/** The same with the fields for the page's metadata. */
export type Article = ShownArticle & {
  metaTitle: string;
  metaDescription: string;
  metaKeywords: string;
  updatedAt: number;
};

/** The essay before or after one. */
export type ArticleLink = { slug: string; title: string };
