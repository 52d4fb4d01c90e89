import { and, asc, desc, eq, gt, lte, sql, type Placeholder, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  articleDefaults,
  NewArticle,
  type Article,
  type ArticleFilter,
  type ArticleInput,
  type ArticleLink,
  type ArticleSummary,
} from "#worker/articles/contract.ts";
import { articles, categories } from "#worker/articles/table.ts";
import { engagementOf, readingMinutesOf } from "#worker/articles/text.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { image } from "#worker/files/joins.ts";
import { pictureColumns, toPicture, type PictureRow } from "#worker/files/picture.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/keyset.ts";
import { renderMarkdown } from "#worker/platform/markdown.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { datesOf, refusingTaken } from "#worker/platform/publishing.ts";
import { freeSlug } from "#worker/platform/slug.ts";

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
  // As text: a row that was imported by hand need not hold JSON.
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
    // Never null here: `datesOf` gives every published article a date.
    publishedAt: publishedAt?.getTime() ?? 0,
    engagement: engagementOf(engagement),
    category,
    picture: toPicture(picture, imageAlt),
  };
}

const isPublished = eq(articles.status, "published");
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
 * Published articles, newest first. `before` is a former answer's `next`.
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
export const listPublishedArticleDates = (
  { db }: Context,
  { after, limit }: { after: number; limit: number },
) =>
  db
    .select({ id: articles.id, slug: articles.slug, updatedAt: articles.updatedAt })
    .from(articles)
    .where(and(isPublished, gt(articles.id, after)))
    .orderBy(asc(articles.id))
    .limit(limit);

const selectArticle = prepared(["slug"], (db, { slug }) =>
  db
    .select({
      article: summaryColumns,
      category: categoryColumns,
      picture: pictureColumns(image),
      details: detailColumns,
      previous: linkTo(neighbour("before")),
      next: linkTo(neighbour("after")),
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(image, eq(image.id, articles.imageFileId))
    .where(and(eq(articles.slug, slug), isPublished)),
);

/**
 * A published article, and links to the ones published before and after it.
 * @throws `not_found`
 */
export async function readArticle(ctx: Context, slug: string) {
  ctx.dependsOn(`article:${slug}`);
  const [row] = await selectArticle(ctx, { slug });
  if (!row) throw new AppError("not_found", "That article no longer exists.");
  const { details, previous, next, ...summary } = row;
  const article: Article = {
    ...toSummary(summary),
    ...details,
    originalPublishedAt: details.originalPublishedAt?.getTime() ?? null,
    updatedAt: details.updatedAt.getTime(),
  };
  return { article, previous, next };
}

const detailColumns = {
  contentHtml: articles.contentHtml,
  tags: articles.tags,
  metaTitle: articles.metaTitle,
  metaDescription: articles.metaDescription,
  metaKeywords: articles.metaKeywords,
  originalPublishedAt: articles.originalPublishedAt,
  updatedAt: articles.updatedAt,
};

const other = alias(articles, "other");

/** SQL: selects from the published article before or after this one. */
function neighbour(side: "before" | "after") {
  const [sign, order] = side === "before" ? [sql`<`, desc] : [sql`>`, asc];
  return sql`from ${articles} as other where ${other.status} = 'published'
    and (${other.publishedAt}, ${other.id}) ${sign} (${articles.publishedAt}, ${articles.id})
    order by ${order(other.publishedAt)}, ${order(other.id)} limit 1`;
}

const linkTo = (from: SQL) =>
  sql<ArticleLink | null>`(select json_object('slug', ${other.slug}, 'title', ${other.title}) ${from})`.mapWith(
    (json: string) => JSON.parse(json) as ArticleLink,
  );

/**
 * The statement that expires the cached answers of these articles, as far as they are published, of their lists, and of
 * their neighbours, which link to them.
 */
function changedArticles(ctx: Context, which: SQL) {
  const published = sql`from ${articles} where ${which} and ${isPublished}`;
  const tagOf = (side: "before" | "after") => sql`(select 'article:' || ${other.slug} ${neighbour(side)})`;
  return changed(
    ctx,
    sql`select 'articles' as tag ${published} union select 'article:' || ${articles.slug} ${published}
      union select ${tagOf("before")} ${published} union select ${tagOf("after")} ${published}`,
  );
}

/**
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for dates that the status does not allow and for a file or
 * category that does not exist; `conflict` for a slug that another article has
 */
export async function createArticle(ctx: Context, input: NewArticle) {
  requireCapability("edit", ctx);
  const article = parseInput(NewArticle, input);
  const values = await normalize(ctx, { ...articleDefaults, ...article });
  const taken = `Another article already has the address “${article.slug}”. Choose another.`;
  const insert = ctx.db
    .insert(articles)
    .values({ ...values, createdAt: ctx.now, updatedAt: ctx.now })
    .returning({ id: articles.id, slug: articles.slug });
  const [[created]] = await refusingTaken("articles.slug", taken, () =>
    ctx.db.batch([insert, changedArticles(ctx, sql`${articles.id} = (select max(id) from ${articles})`)]),
  );
  return created!;
}

/** Publishes the scheduled articles that are due, dated as planned. */
export async function publishDueArticles(ctx: Context) {
  const { db, now } = ctx;
  const isDue = and(eq(articles.status, "scheduled"), lte(articles.scheduledFor, now));
  const due = await db.select({ id: articles.id }).from(articles).where(isDue).limit(1);
  if (due.length === 0) return;
  const publish = db
    .update(articles)
    .set({
      status: "published",
      publishedAt: sql`${articles.scheduledFor}`,
      scheduledFor: null,
      updatedAt: now,
    })
    .where(isDue);
  await db.batch([publish, changedArticles(ctx, eq(articles.updatedAt, now))]);
}

/** The columns of an input: slug, dates, HTML and reading time derived, file and category checked. */
async function normalize(ctx: Context, input: ArticleInput) {
  const dates = datesOf(ctx.now, input);
  if (input.imageFileId) await requireStoredFile(ctx, input.imageFileId, "image", "imageFileId");
  if (input.categoryId) await requireCategory(ctx, input.categoryId);
  const content = renderMarkdown(input.content, await findEmbedded(ctx, input.content));
  return {
    ...input,
    ...dates,
    // Unlike an episode, an article has a date only while it is published.
    publishedAt: input.status === "published" ? dates.publishedAt : null,
    originalPublishedAt: input.originalPublishedAt === null ? null : new Date(input.originalPublishedAt),
    slug: input.slug || (await freeSlug(ctx, articles.slug, input.title)),
    contentHtml: content.html,
    contentText: content.text,
    embeddedFileIds: embeddedFileIdsOf(input.content),
    readingMinutes: readingMinutesOf(content.text),
    tags: [...new Set(input.tags)],
  };
}

async function requireCategory({ db }: Context, id: number) {
  const [category] = await db.select({ id: categories.id }).from(categories).where(eq(categories.id, id));
  if (!category) throw new AppError("invalid", "Choose the category again.", { field: "categoryId" });
}
