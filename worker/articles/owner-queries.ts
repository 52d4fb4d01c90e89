import { and, asc, desc, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { readArticleViews } from "#worker/analytics/public-queries.ts";
import {
  ArticlePreviewInput,
  type ArticleInput,
  type ArticleListQuery,
  type ArticlePreview,
  type ArticleRow,
  type Category,
  type EditableArticle,
  type OpenedArticle,
} from "#worker/articles/contract.ts";
import { articleNotFound } from "#worker/articles/queries.ts";
import { articles, categories } from "#worker/articles/table.ts";
import { readingMinutesOf } from "#worker/articles/text.ts";
import { isListed, listMatch } from "#worker/discovery/list-search.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { findFilesOf, findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { olderThanId, pageOf, wholeList } from "#worker/platform/data/keyset.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { renderMarkdown } from "#worker/platform/text/markdown.ts";
import { previewLinkOf } from "#worker/previews/preview-links.ts";
import { findLastSave } from "#worker/revisions/queries.ts";

const LIST_ROWS = 30;

/**
 * Every article, in any status, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listArticles(ctx: Context, { before, ...filters }: ArticleListQuery = {}) {
  requireCapability("edit", ctx);
  const match = await matchOf(ctx, filters);
  // A query without a word, such as "…", finds nothing.
  if (match === null) return pageOf<ArticleRow>([], LIST_ROWS, () => "");
  const rows = await selectRows(ctx, match, before);
  const listed = rows.map(({ publishedAt, scheduledFor, updatedAt, ...row }): ArticleRow => ({
    ...row,
    publishedAt: publishedAt?.getTime() ?? null,
    scheduledFor: scheduledFor?.getTime() ?? null,
    updatedAt: updatedAt.getTime(),
  }));
  return pageOf(listed, LIST_ROWS, ({ id }) => String(id));
}

function selectRows({ db }: Context, match: string | undefined, before: string | undefined) {
  const isFound = isListed("article_search", articles.id, { match, before, rows: LIST_ROWS + 1 });
  return db
    .select({
      id: articles.id,
      slug: articles.slug,
      title: articles.title,
      status: articles.status,
      source: articles.source,
      publishedAt: articles.publishedAt,
      scheduledFor: articles.scheduledFor,
      updatedAt: articles.updatedAt,
      category: { name: categories.name, color: categories.color },
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .where(and(isFound, before === undefined ? undefined : olderThanId(before, articles.id)))
    .orderBy(desc(articles.id))
    .limit(LIST_ROWS + 1);
}

const matchOf = (ctx: Context, { q, status, source, category }: ArticleListQuery) =>
  listMatch(ctx, "article_search", {
    q,
    filters: [status && `status${status}`, source && `source${source}`, category && `category${category}`],
  });

/**
 * An article as its owner edits it, with its picture.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readArticleForEdit(ctx: Context, id: number): Promise<OpenedArticle> {
  requireCapability("edit", ctx);
  const [row, stored, viewCount, { savedBy, hasNamedSlug }] = await Promise.all([
    readArticleRow(ctx, id),
    findFilesOf(ctx, eq(articles.id, id), [articles.imageFileId]),
    readArticleViews(ctx, id),
    findLastSave(ctx, { kind: "article", item: id }),
  ]);
  const followsTitle = row.status === "draft" && !hasNamedSlug;
  return { ...editableOf(row, [stored, viewCount]), savedBy, chosenSlug: followsTitle ? "" : row.slug };
}

/**
 * Renders this text as the article's page will show it.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function previewArticle(ctx: Context, input: ArticlePreviewInput): Promise<ArticlePreview> {
  requireCapability("edit", ctx);
  const { content } = parseInput(ArticlePreviewInput, input);
  const { html, text } = renderMarkdown(content, await findEmbedded(ctx, content));
  return { html, readingMinutes: readingMinutesOf(text) };
}

/**
 * All categories, by name.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listCategories(ctx: Context) {
  requireCapability("edit", ctx);
  const rows = await ctx.db.select().from(categories).orderBy(asc(categories.name));
  return wholeList(rows.map(toCategory));
}

export const toCategory = ({ updatedAt, ...row }: typeof categories.$inferSelect): Category => ({
  ...row,
  updatedAt: updatedAt.getTime(),
});

type ArticleColumns = typeof articles.$inferSelect;

const selectRow = prepared(["id"], (db, { id }) => db.select().from(articles).where(eq(articles.id, id)));

/** @throws `not_found` */
export async function readArticleRow(ctx: Context, id: number): Promise<ArticleColumns> {
  const [row] = await selectRow(ctx, { id });
  if (!row) throw articleNotFound();
  return row;
}

export const articlePreviewLink = previewLinkOf("article", readArticleRow);

export const toEditable = async (ctx: Context, row: ArticleColumns) =>
  editableOf(row, await readAround(ctx, row));

/** What an article is shown with besides its columns; a new one has no id. */
export const readAround = (ctx: Context, { id, imageFileId }: { id?: number; imageFileId: string | null }) =>
  Promise.all([
    findStoredFiles(ctx, imageFileId ? [imageFileId] : []),
    id === undefined ? 0 : readArticleViews(ctx, id),
  ]);

export function editableOf(
  row: ArticleColumns,
  [stored, viewCount]: [Map<string, StoredFile>, number],
): EditableArticle {
  const { id, slug, readingMinutes, imageFileId } = row;
  return {
    id,
    slug,
    updatedAt: row.updatedAt.getTime(),
    readingMinutes,
    viewCount,
    values: toInput(row),
    image: stored.get(imageFileId ?? "") ?? null,
  };
}

/** The columns that the owner edits. */
export function toInput(row: ArticleColumns): ArticleInput {
  const {
    id: _id,
    guid: _guid,
    draftKey: _key,
    readingMinutes: _minutes,
    createdAt: _created,
    updatedAt: _updated,
    embeddedFileIds: _embedded,
    contentHtml: _html,
    contentText: _text,
    ...values
  } = row;
  return {
    ...values,
    publishedAt: values.publishedAt?.getTime() ?? null,
    scheduledFor: values.scheduledFor?.getTime() ?? null,
    originalPublishedAt: values.originalPublishedAt?.getTime() ?? null,
  };
}
