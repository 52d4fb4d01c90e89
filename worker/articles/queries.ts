import { and, asc, desc, eq, gt, sql, type Placeholder, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Article, ArticleFilter, ArticleLink, ArticleSummary } from "#worker/articles/contract.ts";
import { articles, categories, formerSlugs } from "#worker/articles/table.ts";
import { engagementOf, shownExcerpt } from "#worker/articles/text.ts";
import { commentsTag, positionOf, shownComments } from "#worker/comments/shown.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf, pictureColumns, toPicture, type PictureRow } from "#worker/files/pictures/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { byId, prepared, preparedRows } from "#worker/platform/data/prepared.ts";

const summaryColumns = {
  id: articles.id,
  slug: articles.slug,
  title: articles.title,
  excerpt: articles.excerpt,
  publishedAt: articles.publishedAt,
  readingMinutes: articles.readingMinutes,
  imageAlt: articles.imageAlt,
  source: articles.source,
  sourceUrl: articles.sourceUrl,
  // As text: a row that was imported by hand may not have valid JSON.
  engagement: sql<string | null>`${articles.engagement}`,
};

const categoryColumns = { name: categories.name, slug: categories.slug, color: categories.color };

type SummaryRow = {
  article: Omit<ArticleSummary, "publishedAt" | "engagement" | "picture" | "category"> & {
    publishedAt: Date | null;
    imageAlt: string;
    engagement: string | null;
  };
  category: ArticleSummary["category"];
  picture: PictureRow | null;
};

function toSummary({ article, category, picture }: SummaryRow): ArticleSummary {
  const { publishedAt, imageAlt, engagement, ...columns } = article;
  return {
    ...columns,
    excerpt: shownExcerpt(columns),
    // Never null here: `datesOf` gives every published article a date.
    publishedAt: publishedAt?.getTime() ?? 0,
    engagement: engagementOf(engagement),
    category,
    picture: toPicture(picture, altOf(picture, imageAlt)),
  };
}

export const isPublished = eq(articles.status, "published");

/** SQL: whether the article with this id is published. */
export const isPublishedArticle = (id: SQL) =>
  sql`exists (select 1 from ${articles} where ${and(eq(articles.id, id), isPublished)})`;

/** SQL: the title of an article, and its path while it is published, as JSON; null if there is none. */
export const articleLabel = (id: SQL) => sql`(select json_object('title', ${articles.title},
    'path', iif(${isPublished}, '/essays/' || ${articles.slug}, null))
  from ${articles} where ${articles.id} = ${id})`;

const ofSource = (source: ArticleFilter) => (source === "all" ? undefined : eq(articles.source, source));

type Page = { source?: ArticleFilter; before?: string; limit?: number };

const selectArticles = (db: Context["db"], which: SQL | undefined, limit: number | Placeholder) =>
  db
    .select({ article: summaryColumns, category: categoryColumns, picture: pictureColumns(image) })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(image, eq(image.id, articles.imageFileId))
    .where(and(isPublished, which))
    .orderBy(desc(articles.publishedAt), desc(articles.id))
    .limit(limit);

const newestOf = (source: ArticleFilter) =>
  prepared(["limit"], (db, { limit }) => selectArticles(db, ofSource(source), limit));

const newest = { all: newestOf("all"), original: newestOf("original"), linkedin: newestOf("linkedin") };

/**
 * Published articles, newest first. `before` is the previous page's `next`.
 * @throws `not_found` for a malformed cursor
 */
export async function listPublishedArticles(ctx: Context, { source = "all", before, limit = 24 }: Page = {}) {
  ctx.dependsOn("articles");
  const rows =
    before === undefined
      ? await newest[source](ctx, { limit: limit + 1 })
      : await selectArticles(
          ctx.db,
          and(ofSource(source), olderThan(before, articles.publishedAt, articles.id)),
          limit + 1,
        );
  return pageOf(rows.map(toSummary), limit, ({ publishedAt, id }) => cursorOf(publishedAt, id));
}

/** Published articles in the order of their ids, from the one after `after`. */
export const listPublishedArticleDates = preparedRows(["after", "limit"], (db, { after, limit }) =>
  db
    .select({
      id: sql<number>`${articles.id}`.as("id"),
      slug: sql<string>`${articles.slug}`.as("slug"),
      updatedAt: sql<number>`${articles.updatedAt}`.as("updatedAt"),
    })
    .from(articles)
    .where(and(byId(isPublished), gt(articles.id, after)))
    .orderBy(asc(articles.id))
    .limit(limit),
);

const selectWhole = <Columns extends object>(db: Context["db"], slug: Placeholder, columns: Columns) =>
  db
    .select({
      article: summaryColumns,
      category: categoryColumns,
      picture: pictureColumns(image),
      details: detailColumns,
      previous: linkTo(neighbour("before")),
      next: linkTo(neighbour("after")),
      ...columns,
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(image, eq(image.id, articles.imageFileId))
    .where(and(eq(articles.slug, slug), isPublished));

const selectArticle = prepared(["slug"], (db, { slug }) => selectWhole(db, slug, {}));

const selectWithComments = prepared(["slug", "thread", "comment"], (db, { slug, thread, comment }) =>
  selectWhole(db, slug, { comments: shownComments("article", sql`articles.id`, thread, comment) }),
);

/**
 * A published article, and links to the ones published before and after it.
 * @throws `not_found`
 */
export async function readArticle(ctx: Context, slug: string) {
  ctx.dependsOn(`article:${slug}`);
  const [row] = await selectArticle(ctx, { slug });
  if (!row) throw articleNotFound();
  const { previous, next, ...columns } = row;
  return { article: toArticle(columns), previous, next };
}

/**
 * The same with a page of its comments, in one statement; null while comments are switched off.
 * @throws `not_found`, also for a malformed cursor
 */
export async function readArticleWithComments(ctx: Context, slug: string, after: string | undefined) {
  ctx.dependsOn(`article:${slug}`);
  const [row] = await selectWithComments(ctx, { slug, ...positionOf(after) });
  if (!row) throw articleNotFound();
  const { previous, next, comments, ...columns } = row;
  const article = toArticle(columns);
  ctx.dependsOn(commentsTag("article", article.id));
  return { article, previous, next, comments };
}

export const articleNotFound = () => new AppError("not_found", "That article no longer exists.");

type DetailRow = SummaryRow & {
  details: Pick<typeof articles.$inferSelect, keyof typeof detailColumns>;
};

const toArticle = ({ details, ...summary }: DetailRow): Article => ({
  ...toSummary(summary),
  ...details,
  originalPublishedAt: details.originalPublishedAt?.getTime() ?? null,
  updatedAt: details.updatedAt.getTime(),
});

/**
 * An article in any status as its page will show it, for its preview link. A draft is dated now.
 * @throws `not_found`
 */
export async function readArticleForPreview({ db, now }: Context, id: number) {
  const [row] = await db
    .select({
      article: summaryColumns,
      category: categoryColumns,
      picture: pictureColumns(image),
      details: detailColumns,
      status: articles.status,
      scheduledFor: articles.scheduledFor,
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(image, eq(image.id, articles.imageFileId))
    .where(eq(articles.id, id));
  if (!row) throw articleNotFound();
  const { status, scheduledFor, ...columns } = row;
  const article = toArticle(columns);
  const date = status === "published" ? article.publishedAt : (scheduledFor ?? now).getTime();
  return { article: { ...article, publishedAt: date }, status };
}

/** SQL, as JSON: the title and path of the article with this id; null if there is none. */
export const commentedArticle = (id: SQL | number) =>
  sql<
    string | null
  >`(select json_object('title', title, 'path', '/essays/' || slug, 'tag', 'article:' || slug,
    'isPublished', json(iif(status = 'published', 'true', 'false'))) from articles where articles.id = ${id})`;

/** The current slug of the published article with this current or former slug; null if there is none. */
export async function findCurrentSlug(ctx: Context, slug: string) {
  const published = ctx.db
    .select({ slug: articles.slug })
    .from(articles)
    .where(and(eq(articles.slug, slug), isPublished));
  const [[present], successor] = await Promise.all([published, findSuccessor(ctx, slug)]);
  return present?.slug ?? successor;
}

/** The slug of the published article that had this slug last; null if there is none. */
export async function findSuccessor(ctx: Context, former: string) {
  const [row] = await ctx.db
    .select({ slug: articles.slug })
    .from(formerSlugs)
    .innerJoin(articles, eq(articles.id, formerSlugs.articleId))
    .where(and(eq(formerSlugs.slug, former), isPublished))
    .orderBy(desc(formerSlugs.leftAt))
    .limit(1);
  return row?.slug ?? null;
}

const detailColumns = {
  imageCaption: articles.imageCaption,
  contentHtml: articles.contentHtml,
  tags: articles.tags,
  metaTitle: articles.metaTitle,
  metaDescription: articles.metaDescription,
  metaKeywords: articles.metaKeywords,
  originalPublishedAt: articles.originalPublishedAt,
  updatedAt: articles.updatedAt,
};

export const other = alias(articles, "other");

/** SQL: selects from the published article before or after this one. */
export function neighbour(side: "before" | "after") {
  const [sign, order] = side === "before" ? [sql`<`, desc] : [sql`>`, asc];
  return sql`from ${articles} as other where ${other.status} = 'published'
    and (${other.publishedAt}, ${other.id}) ${sign} (${articles.publishedAt}, ${articles.id})
    order by ${order(other.publishedAt)}, ${order(other.id)} limit 1`;
}

const linkTo = (from: SQL) =>
  sql<ArticleLink | null>`(select json_object('slug', ${other.slug}, 'title', ${other.title}) ${from})`.mapWith(
    (json: string) => JSON.parse(json) as ArticleLink,
  );
