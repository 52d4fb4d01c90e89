import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { isPublished } from "#worker/articles/queries.ts";
import { articles } from "#worker/articles/table.ts";
import { shownExcerpt } from "#worker/articles/text.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf } from "#worker/files/pictures/picture.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";

/** Characters of a text: more than an email has. */
const LONGEST_TEXT = 60_000;

type Wanted = { limit: number; hasText: boolean };

/** The statement of the published essays among these, the newest first. Their texts only if `hasText`. */
export const selectArticlesForLetter = (
  { db }: Context,
  which: SQL | undefined,
  { limit, hasText }: Wanted,
) =>
  db
    .select({
      id: articles.id,
      slug: articles.slug,
      title: articles.title,
      excerpt: articles.excerpt,
      source: articles.source,
      text: hasText ? sql<string>`substr(${articles.content}, 1, ${LONGEST_TEXT})` : sql<string>`''`,
      publishedAt: articles.publishedAt,
      updatedAt: articles.updatedAt,
      imageAlt: articles.imageAlt,
      image: { key: image.key, alt: image.alt },
    })
    .from(articles)
    .leftJoin(image, and(eq(image.id, articles.imageFileId), eq(image.status, "complete")))
    .where(and(isPublished, which))
    .orderBy(desc(articles.publishedAt), desc(articles.id))
    .limit(limit);

type Row = Awaited<ReturnType<typeof selectArticlesForLetter>>[number];

export const articleForLetter = ({ config }: Context, row: Row) => ({
  kind: "article" as const,
  id: row.id,
  title: row.title,
  summary: shownExcerpt(row),
  text: row.text,
  picture: row.image && { url: mediaUrl(row.image.key), alt: altOf(row.image, row.imageAlt) },
  link: `${config.siteUrl}/essays/${row.slug}`,
  publishedAt: row.publishedAt ?? new Date(0),
  updatedAt: row.updatedAt,
});

/** SQL: the essays among these ids, a JSON list. */
export const isArticleIn = (ids: number[]) =>
  sql`${articles.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** SQL: the ids of the published essays, as `id`. */
export const publishedArticleIds = sql`select ${articles.id} as id from ${articles} where ${articles.status} = 'published'`;

/** SQL: how many of these essays are published, in the version that was read. */
export const countArticlesAsRead = (read: { id: number; updatedAt: Date }[]) => sql`(
  select count(*) from json_each(${JSON.stringify(read.map(({ id, updatedAt }) => [id, updatedAt.getTime()]))}) as given
  inner join ${articles} on ${articles.id} = given.value ->> 0
  where ${articles.updatedAt} = given.value ->> 1 and ${articles.status} = 'published')`;
