import { and, asc, desc, eq, lte, sql } from "drizzle-orm";
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
import { engagementOf, readingMinutesOf, renderArticle } from "#worker/articles/text.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { pictureColumns, toPicture } from "#worker/files/picture.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan } from "#worker/platform/keyset.ts";
import { datesOf, refusingTaken } from "#worker/platform/publishing.ts";
import { slugOf } from "#worker/platform/slug.ts";

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
  picture: Parameters<typeof toPicture>[0];
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

/** Published articles, newest first. `before` is a former answer's `next`. */
export async function listPublishedArticles(
  { db }: Context,
  { source = "all", before, limit = 24 }: Page = {},
) {
  const older = before === undefined ? undefined : olderThan(before, articles.publishedAt, articles.id);
  const rows = await db
    .select({ article: summaryColumns, category: categoryColumns, picture: pictureColumns(files) })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(files, eq(files.id, articles.imageFileId))
    .where(and(isPublished, ofSource(source), older))
    .orderBy(desc(articles.publishedAt), desc(articles.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit).map(toSummary);
  const last = shown.at(-1);
  return { articles: shown, next: rows.length > limit && last ? cursorOf(last) : null };
}

/** A published article, and the ones published before and after it. */
export async function readArticle(ctx: Context, slug: string) {
  // Not a batch: D1 answers one by column names, and those of the joined tables are the same.
  const [[row], [previous], [next]] = await Promise.all([
    selectArticle(ctx, slug),
    selectNeighbour(ctx, slug, "before"),
    selectNeighbour(ctx, slug, "after"),
  ]);
  if (!row) throw new AppError("not_found", "That article no longer exists.");
  const { details, ...summary } = row;
  const article: Article = {
    ...toSummary(summary),
    ...details,
    originalPublishedAt: details.originalPublishedAt?.getTime() ?? null,
    updatedAt: details.updatedAt.getTime(),
  };
  return { article, previous: previous ?? null, next: next ?? null };
}

const selectArticle = ({ db }: Context, slug: string) =>
  db
    .select({
      article: summaryColumns,
      category: categoryColumns,
      picture: pictureColumns(files),
      details: {
        contentHtml: articles.contentHtml,
        tags: articles.tags,
        metaTitle: articles.metaTitle,
        metaDescription: articles.metaDescription,
        metaKeywords: articles.metaKeywords,
        originalPublishedAt: articles.originalPublishedAt,
        updatedAt: articles.updatedAt,
      },
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(files, eq(files.id, articles.imageFileId))
    .where(and(eq(articles.slug, slug), isPublished));

function selectNeighbour({ db }: Context, slug: string, side: "before" | "after") {
  const place = sql`(${articles.publishedAt}, ${articles.id})`;
  const here = sql`(select ${articles.publishedAt}, ${articles.id} from ${articles} where ${articles.slug} = ${slug})`;
  const [lies, order] = side === "before" ? [sql`${place} < ${here}`, desc] : [sql`${place} > ${here}`, asc];
  const columns: Record<keyof ArticleLink, typeof articles.slug | typeof articles.title> = {
    slug: articles.slug,
    title: articles.title,
  };
  return db
    .select(columns)
    .from(articles)
    .where(and(isPublished, lies))
    .orderBy(order(articles.publishedAt), order(articles.id))
    .limit(1);
}

export async function createArticle(ctx: Context, input: NewArticle) {
  requireCapability("edit", ctx);
  const values = await settle(ctx, { ...articleDefaults, ...input });
  const taken = `Another article already has the address “${values.slug}”. Choose another.`;
  const [created] = await refusingTaken("articles.slug", taken, () =>
    ctx.db
      .insert(articles)
      .values({ ...values, createdAt: ctx.now, updatedAt: ctx.now })
      .returning({ id: articles.id, slug: articles.slug }),
  );
  return created!;
}

/** Publishes the articles whose time has come; their date is the one that was planned. */
export async function publishDueArticles({ db, now }: Context) {
  await db
    .update(articles)
    .set({
      status: "published",
      publishedAt: sql`${articles.scheduledFor}`,
      scheduledFor: null,
      updatedAt: now,
    })
    .where(and(eq(articles.status, "scheduled"), lte(articles.scheduledFor, now)));
}

/** What the owner said, as it is stored: slug, dates, HTML and reading time settled, file and category checked. */
async function settle(ctx: Context, input: ArticleInput) {
  const dates = datesOf(ctx.now, input);
  if (input.imageFileId) await requireStoredFile(ctx, input.imageFileId, "image", "imageFileId");
  if (input.categoryId) await requireCategory(ctx, input.categoryId);
  const contentHtml = renderArticle(input.content, await findEmbedded(ctx, input.content));
  return {
    ...input,
    ...dates,
    // Unlike an episode's, an article's date is that of its being out.
    publishedAt: input.status === "published" ? dates.publishedAt : null,
    originalPublishedAt: input.originalPublishedAt === null ? null : new Date(input.originalPublishedAt),
    slug: input.slug || slugOf(input.title) || "article",
    contentHtml,
    embeddedFileIds: embeddedFileIdsOf(input.content),
    readingMinutes: readingMinutesOf(contentHtml),
    tags: [...new Set(input.tags)],
  };
}

async function requireCategory({ db }: Context, id: number) {
  const [category] = await db.select({ id: categories.id }).from(categories).where(eq(categories.id, id));
  if (!category) throw new AppError("invalid", "Choose the category again.", { field: "categoryId" });
}
