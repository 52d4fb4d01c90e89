import { desc, eq, sql } from "drizzle-orm";
import { articles, categories } from "#worker/articles/table.ts";
import { shownExcerpt } from "#worker/articles/text.ts";
import { renderEssayFeed } from "#worker/articles/rss.ts";
import { firstGuid } from "#worker/articles/guid.ts";
import { hubSetting, readSite, siteUpdatedAt } from "#worker/settings/queries.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf, pictureColumns, toPicture } from "#worker/files/pictures/picture.ts";
import { versionOf } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";

/** Essays in the feed, each with its full text. */
const IN_FEED = 50;

/** SQL: the essays in the feed, newest first. */
const newest = sql`${articles} where ${articles.status} = 'published' order by ${articles.publishedAt} desc, ${articles.id} desc limit ${IN_FEED}`;

/**
 * The versions of everything in the feed, and its hub, in one statement. They include the cache tag's version, since an
 * essay's own does not change when it is rendered again or its cover gets a description. A withdrawn essay leaves no
 * date, so the feed has an ETag but no Last-Modified.
 */
export async function readEssayFeedMark({ db, dependsOn }: Context) {
  dependsOn("articles", "site");
  const [row] = await db.all<{ mark: string; hubUrl: string }>(sql`
    select ${hubSetting} as hubUrl, concat_ws(char(10),
      (select group_concat(mark) from
        (select ${articles.id} || ':' || ${articles.updatedAt} as mark from ${newest})),
      (select group_concat(${categories.id} || ':' || ${categories.name}) from ${categories}),
      ${versionOf("articles")},
      ${siteUpdatedAt}
    ) as mark`);
  return { mark: row?.mark ?? "", hubUrl: row?.hubUrl ?? "" };
}

/** Whether the essay is among those in the feed. */
export async function isInEssayFeed({ db }: Context, id: number) {
  const [row] = await db.all(
    sql`select 1 from (select ${articles.id} as id from ${newest}) where id = ${id}`,
  );
  return row !== undefined;
}

/** The essays' feed as XML. */
export async function readEssayFeed(ctx: Context) {
  const [{ name, description, language, hubUrl }, rows] = await Promise.all([readSite(ctx), readEssays(ctx)]);
  return renderEssayFeed(
    ctx.config.siteUrl,
    { title: name, description, language, author: name, hubUrl },
    rows,
  );
}

const selectEssays = prepared(["siteUrl"], (db, { siteUrl }) =>
  db
    .select({
      guid: sql<string>`coalesce(${articles.guid}, ${firstGuid(siteUrl)})`,
      slug: articles.slug,
      title: articles.title,
      excerpt: articles.excerpt,
      source: articles.source,
      contentHtml: articles.contentHtml,
      publishedAt: articles.publishedAt,
      updatedAt: articles.updatedAt,
      tags: articles.tags,
      imageAlt: articles.imageAlt,
      category: categories.name,
      picture: pictureColumns(image),
    })
    .from(articles)
    .leftJoin(categories, eq(categories.id, articles.categoryId))
    .leftJoin(image, eq(image.id, articles.imageFileId))
    .where(eq(articles.status, "published"))
    .orderBy(desc(articles.publishedAt), desc(articles.id))
    .limit(IN_FEED),
);

async function readEssays(ctx: Context) {
  const rows = await selectEssays(ctx, { siteUrl: ctx.config.siteUrl });
  return rows.map(({ picture, ...row }) => ({
    ...row,
    excerpt: shownExcerpt(row),
    picture: toPicture(picture, altOf(picture, row.imageAlt)),
  }));
}
export type FeedEssay = Awaited<ReturnType<typeof readEssays>>[number];
