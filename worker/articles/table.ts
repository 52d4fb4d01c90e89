import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";

export const categories = sqliteTable(
  "categories",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    slug: text("slug").notNull(),
    description: text("description").notNull(),
    /** #rrggbb. */
    color: text("color").notNull(),
    /** Zero for a row older than the column and unchanged since. */
    updatedAt: integer("updated_at", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
  },
  (table) => [uniqueIndex("categories_slug").on(table.slug)],
);

export const articles = sqliteTable(
  "articles",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    slug: text("slug").notNull(),
    /**
     * The essay's id in feed readers; never changes. Null in rows that the daily job has not filled yet (decision
     * 0028).
     */
    guid: text("guid"),
    title: text("title").notNull(),
    excerpt: text("excerpt").notNull(),
    status: text("status", { enum: ["draft", "published", "scheduled", "archived"] }).notNull(),
    publishedAt: integer("published_at", { mode: "timestamp_ms" }),
    scheduledFor: integer("scheduled_for", { mode: "timestamp_ms" }),
    categoryId: integer("category_id").references(() => categories.id, { onDelete: "set null" }),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    imageFileId: text("image_file_id"),
    imageAlt: text("image_alt").notNull(),
    imageCaption: text("image_caption").notNull().default(""),
    metaTitle: text("meta_title").notNull(),
    metaDescription: text("meta_description").notNull(),
    metaKeywords: text("meta_keywords").notNull(),
    /** Minutes at 200 words a minute, rounded up. */
    readingMinutes: integer("reading_minutes").notNull(),
    source: text("source", { enum: ["original", "linkedin"] }).notNull(),
    /** Where it first appeared; for source linkedin the post. */
    sourceUrl: text("source_url"),
    /** Likes, comments and shares where it first appeared. */
    engagement: text("engagement", { mode: "json" }).$type<{
      likes: number;
      comments: number;
      shares: number;
    }>(),
    originalPublishedAt: integer("original_published_at", { mode: "timestamp_ms" }),
    /** The user and the key of the form that created it: a repeated request creates no second article. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** The files that the content shows or links to, by id. */
    embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    // Long texts are last: SQLite reads a row from its beginning.
    /** Markdown. */
    content: text("content").notNull(),
    /** The content as sanitised HTML, rendered on save. */
    contentHtml: text("content_html").notNull(),
    /** The content as plain text, for search. */
    contentText: text("content_text").notNull().default(""),
  },
  (table) => [
    uniqueIndex("articles_slug").on(table.slug),
    uniqueIndex("articles_guid").on(table.guid),
    uniqueIndex("articles_draft_key").on(table.draftKey),
    // A post is imported once.
    uniqueIndex("articles_linkedin_source")
      .on(table.sourceUrl)
      .where(sql`source = 'linkedin'`),
    index("articles_published").on(table.status, table.publishedAt, table.id),
    index("articles_due").on(table.status, table.scheduledFor),
    index("articles_by_category").on(table.categoryId),
  ],
);

/**
 * Slugs at which articles were public: they redirect, unless a published article has them. Of several articles the
 * published one that had the slug last wins.
 */
export const formerSlugs = sqliteTable(
  "article_former_slugs",
  {
    slug: text("slug").notNull(),
    articleId: integer("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    /** When the article last had it; zero for a row older than the column. */
    leftAt: integer("left_at", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    primaryKey({ columns: [table.slug, table.articleId] }),
    index("article_former_slugs_by_article").on(table.articleId),
  ],
);

/** Addresses that articles had on another site: a path, or a query of its home page such as `/?p=12`. */
export const oldAddresses = sqliteTable(
  "article_old_addresses",
  {
    address: text("address").primaryKey(),
    articleId: integer("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
  },
  (table) => [index("article_old_addresses_by_article").on(table.articleId)],
);

/** The rows of articles in the bin. */
export const binnedArticles = binnedTable(articles, ["slug", "guid"]);
export const binnedFormerSlugs = binnedTable(formerSlugs);
export const binnedOldAddresses = binnedTable(oldAddresses);
