import { z } from "zod";
import type { Picture } from "#worker/files/contract.ts";
import { fileId, markdown, slug, webLink } from "#worker/platform/contract.ts";

export const articleStatuses = ["draft", "published", "scheduled", "archived"] as const;
export const articleSources = ["original", "linkedin"] as const;
export type ArticleSource = (typeof articleSources)[number];

/** Which published articles a list shows. */
export const articleFilters = ["all", "linkedin", "original"] as const;
export type ArticleFilter = (typeof articleFilters)[number];

const count = z.int().min(0).max(1_000_000_000);
export const Engagement = z.strictObject({ likes: count, comments: count, shares: count });
export type Engagement = z.infer<typeof Engagement>;

/** The fields that the owner edits. */
const ArticleFields = z.strictObject({
  title: z.string().trim().min(1, "Title is required").max(255, "A title has at most 255 characters."),
  /** Derived from the title when empty. */
  slug,
  /** Plain text: the standfirst, lists and previews. */
  excerpt: z.string().trim().max(1000, "An excerpt has at most 1,000 characters."),
  /** Markdown. */
  content: markdown(500_000, "An article has at most 500,000 characters."),
  status: z.enum(articleStatuses),
  /** Milliseconds UTC. Null becomes the moment of publishing. */
  publishedAt: z.int().positive().nullable(),
  /** Milliseconds UTC; null unless the status is scheduled. */
  scheduledFor: z.int().positive().nullable(),
  categoryId: z.int().positive().nullable(),
  tags: z
    .array(z.string().trim().min(1, "A tag needs a word.").max(60, "A tag has at most 60 characters."))
    .max(20, "An article has at most 20 tags."),
  imageFileId: fileId,
  imageAlt: z.string().trim().max(300, "A picture's description has at most 300 characters."),
  /** Empty ones fall back to the title and the excerpt. */
  metaTitle: z.string().trim().max(255),
  metaDescription: z.string().trim().max(500),
  metaKeywords: z.string().trim().max(500),
  source: z.enum(articleSources),
  /** Where it first appeared. */
  sourceUrl: webLink.nullable(),
  engagement: Engagement.nullable(),
  /** Milliseconds UTC. */
  originalPublishedAt: z.int().positive().nullable(),
});
export type ArticleInput = z.infer<typeof ArticleFields>;

/** Only the title is required; the rest has `articleDefaults`. */
export const NewArticle = ArticleFields.partial().required({ title: true });
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
  metaTitle: "",
  metaDescription: "",
  metaKeywords: "",
  source: "original",
  sourceUrl: null,
  engagement: null,
  originalPublishedAt: null,
};

export const NewCategory = z.strictObject({
  name: z.string().trim().min(1, "Name is required").max(80, "A name has at most 80 characters."),
  /** Derived from the name when empty. */
  slug: slug.default(""),
  description: z.string().trim().max(500).default(""),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "Choose a colour such as #6366f1.")
    .default("#6366f1"),
});
export type NewCategory = z.input<typeof NewCategory>;

export type ArticleCategory = { name: string; slug: string; color: string };

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

/** An article's own page. */
export type Article = ArticleSummary & {
  /** Sanitised HTML. */
  contentHtml: string;
  tags: string[];
  metaTitle: string;
  metaDescription: string;
  metaKeywords: string;
  originalPublishedAt: number | null;
  updatedAt: number;
};

/** The essay before or after one. */
export type ArticleLink = { slug: string; title: string };
