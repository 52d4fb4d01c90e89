import { asc, eq } from "drizzle-orm";
import { articleSlugs } from "#worker/articles/slugs.ts";
import { articles, categories, formerSlugs, oldAddresses } from "#worker/articles/table.ts";
import {
  exportedColumns,
  isNextSlice,
  itemFiles,
  jsonList,
  nameOf,
  rowsOf,
  type Exporter,
} from "#worker/exports/exported.ts";
import { image } from "#worker/files/library/joins.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { redirects } from "#worker/platform/data/item-slugs.ts";
import type { Context } from "#worker/platform/context.ts";

const FOLDER = "essays";

/** Each article as Markdown and as JSON, the categories, and the former addresses of articles. */
export const articlesForExport: Exporter = async function* (ctx) {
  for await (const row of articlesOf(ctx)) {
    yield* itemFiles(
      `${FOLDER}/${await nameOf(row)}`,
      {
        title: row.title,
        date: row.publishedAt,
        updated: row.updatedAt,
        status: row.status,
        draft: row.status !== "published" || null,
        address: row.address,
        description: row.excerpt,
        category: row.category,
        tags: row.tags,
        image: row.image,
        image_alt: row.imageAlt,
        image_caption: row.imageCaption,
      },
      row.content,
      row,
    );
  }
  yield jsonList(
    `${FOLDER}/categories.json`,
    await ctx.db.select().from(categories).orderBy(asc(categories.id)),
  );
  yield jsonList(`${FOLDER}/former-addresses.json`, await formerAddressesOf(ctx));
};

async function* articlesOf({ db, config: { siteUrl } }: Context) {
  const rows = rowsOf((after) =>
    db
      .select({ ...exportedColumns(articles), category: categories.name, imageKey: image.key })
      .from(articles)
      .leftJoin(categories, eq(categories.id, articles.categoryId))
      .leftJoin(image, eq(image.id, articles.imageFileId))
      .where(isNextSlice(articles.id, after, articles.content, articles.contentHtml))
      .orderBy(asc(articles.id)),
  );
  for await (const { imageKey, ...row } of rows) {
    yield {
      ...row,
      address: `${siteUrl}/essays/${row.slug}`,
      image: imageKey && siteUrl + mediaUrl(imageKey),
    };
  }
}

async function formerAddressesOf({ db }: Context) {
  const former = await db
    .select({ slug: formerSlugs.slug, now: articles.slug })
    .from(formerSlugs)
    .innerJoin(articles, eq(articles.id, formerSlugs.articleId))
    .where(redirects(articleSlugs))
    .orderBy(asc(formerSlugs.slug));
  const old = await db
    .select({ address: oldAddresses.address, now: articles.slug })
    .from(oldAddresses)
    .innerJoin(articles, eq(articles.id, oldAddresses.articleId))
    .orderBy(asc(oldAddresses.address));
  return [...former.map(({ slug, now }) => ({ address: `/essays/${slug}`, now })), ...old].map(
    ({ address, now }) => ({ from: address, to: `/essays/${now}` }),
  );
}
