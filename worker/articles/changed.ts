import { sql, type SQL } from "drizzle-orm";
import { isPublished, neighbour, other } from "#worker/articles/queries.ts";
import { ESSAYS_FEED_PATH } from "#worker/articles/rss.ts";
import { articles } from "#worker/articles/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statement that expires the cached answers of these articles if published, of their lists, and of their
 * neighbours, which link to them.
 */
export function changedArticles(ctx: Context, which: SQL) {
  const published = sql`from ${articles} where ${which} and ${isPublished}`;
  const tagOf = (side: "before" | "after") => sql`(select 'article:' || ${other.slug} ${neighbour(side)})`;
  return changed(
    ctx,
    sql`${tagsOf(published)} union select ${tagOf("before")} ${published} union select ${tagOf("after")} ${published}`,
  );
}

const tagsOf = (published: SQL) =>
  sql`select 'articles' as tag ${published} union select 'article:' || ${articles.slug} ${published}`;

/** SQL: whether an article is one of these. As JSON in one parameter: D1 allows 100 per statement. */
export const isAmong = (ids: number[]) =>
  sql`${articles.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** The same for the published articles of a category, whose neighbours do not show it. */
export const changedArticlesOf = (ctx: Context, categoryId: number) =>
  changed(ctx, tagsOf(sql`from ${articles} where ${articles.categoryId} = ${categoryId} and ${isPublished}`));

/** The follow-ups when these articles are published, or change while published. */
export const publicationOf = (which: SQL) => ({
  kind: "article" as const,
  feed: ESSAYS_FEED_PATH,
  items: sql`select ${articles.id} as id, ${articles.title} as title, '/essays/' || ${articles.slug} as path,
    ${articles.updatedAt} as version from ${articles} where ${which}`,
});
