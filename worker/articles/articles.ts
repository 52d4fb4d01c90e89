import { and, asc, desc, eq, lte, sql, type Placeholder, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  articleDefaults,
  type Article,
  type ArticleFilter,
  type ArticleInput,
  type ArticleLink,
  type ArticleSummary,
  type NewArticle,
} from "#worker/articles/contract.ts";
import { articles, categories } from "#worker/articles/table.ts";
import { engagementOf, readingMinutesOf } from "#worker/articles/text.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { pictureColumns, toPicture, type PictureRow } from "#worker/files/picture.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan } from "#worker/platform/keyset.ts";
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
  // As text: what an import left there need not be JSON.
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
  const { publishedAt, imageAlt, engagement, ...said } = article;
  return {
    ...said,
    // A published article has a date: `datesOf` sees to it.
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
    .select({ article: summaryColumns, category: categoryColumns, picture: pictureColumns(files) })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(files, eq(files.id, articles.imageFileId))
    .where(and(isPublished, which))
    .orderBy(desc(articles.publishedAt), desc(articles.id))
    .limit(limit);

const newestOf = (source: ArticleFilter) =>
  prepared(["limit"], (db, { limit }) => selectArticles(db, ofSource(source), limit));
const newest = { all: newestOf("all"), original: newestOf("original"), linkedin: newestOf("linkedin") };

/** Published articles, newest first. `before` is a former answer's `next`. */
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
  const shown = rows.slice(0, limit).map(toSummary);
  const last = shown.at(-1);
  return { articles: shown, next: rows.length > limit && last ? cursorOf(last) : null };
}

const selectArticle = prepared(["slug"], (db, { slug }) =>
  db
    .select({
      article: summaryColumns,
      category: categoryColumns,
      picture: pictureColumns(files),
      details: detailColumns,
      previous: linkTo(neighbour("before")),
      next: linkTo(neighbour("after")),
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(files, eq(files.id, articles.imageFileId))
    .where(and(eq(articles.slug, slug), isPublished)),
);

/** A published article, and the ones published before and after it. */
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

/** From the published article that stands next to this one, as SQL. */
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
 * The statement that tells of a change of those of these articles that are published, of their list, and of the ones
 * beside them, which link to them.
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

export async function createArticle(ctx: Context, input: NewArticle) {
  requireCapability("edit", ctx);
  const values = await settle(ctx, { ...articleDefaults, ...input });
  const taken = `Another article already has the address “${input.slug}”. Choose another.`;
  const insert = ctx.db
    .insert(articles)
    .values({ ...values, createdAt: ctx.now, updatedAt: ctx.now })
    .returning({ id: articles.id, slug: articles.slug });
  const [[created]] = await refusingTaken("articles.slug", taken, () =>
    ctx.db.batch([insert, changedArticles(ctx, sql`${articles.id} = (select max(id) from ${articles})`)]),
  );
  return created!;
}

/** Publishes the articles whose time has come; their date is the one that was planned. */
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

/** What the owner said, as it is stored: slug, dates, HTML and reading time settled, file and category checked. */
async function settle(ctx: Context, input: ArticleInput) {
  const dates = datesOf(ctx.now, input);
  if (input.imageFileId) await requireStoredFile(ctx, input.imageFileId, "image", "imageFileId");
  if (input.categoryId) await requireCategory(ctx, input.categoryId);
  const content = renderMarkdown(input.content, await findEmbedded(ctx, input.content));
  return {
    ...input,
    ...dates,
    // Unlike an episode's, an article's date is that of its being out.
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
