import { and, eq, lte, sql, type SQL } from "drizzle-orm";
import {
  articleDefaults,
  NewArticle,
  NewCategory,
  type ArticleCategory,
  type ArticleInput,
} from "#worker/articles/contract.ts";
import { isPublished, neighbour, other } from "#worker/articles/queries.ts";
import { articles, categories } from "#worker/articles/table.ts";
import { readingMinutesOf } from "#worker/articles/text.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { renderMarkdown } from "#worker/platform/markdown.ts";
import { datesOf, refusingTaken } from "#worker/platform/publishing.ts";
import { freeSlug, slugOf } from "#worker/platform/slug.ts";

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

/** @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` for a slug that another category has */
export async function createCategory(
  ctx: Context,
  input: NewCategory,
): Promise<ArticleCategory & { id: number }> {
  requireCapability("edit", ctx);
  const category = parseInput(NewCategory, input);
  const named = category.slug || (await slugOf(category.name));
  // Two categories of one name are a slip; two without words are not.
  const slug = named || (await freeSlug(ctx, categories.slug, category.name));
  const taken = `Another category already has the address “${named}”. Choose another.`;
  const [created] = await refusingTaken("categories.slug", taken, () =>
    ctx.db
      .insert(categories)
      .values({ ...category, slug })
      .returning({
        id: categories.id,
        name: categories.name,
        slug: categories.slug,
        color: categories.color,
      }),
  );
  return created!;
}
