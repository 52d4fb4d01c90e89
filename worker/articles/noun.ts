import { asc, eq, sql } from "drizzle-orm";
import { changedArticles, publicationOf } from "#worker/articles/changed.ts";
import { toInput } from "#worker/articles/owner-queries.ts";
import { isPublished } from "#worker/articles/queries.ts";
import { articleSlugs } from "#worker/articles/slugs.ts";
import {
  articles,
  binnedArticles,
  binnedFormerSlugs,
  binnedOldAddresses,
  categories,
  formerSlugs,
  oldAddresses,
} from "#worker/articles/table.ts";
import { readingMinutesOf } from "#worker/articles/text.ts";
import type { BinFacet } from "#worker/bin/facet.ts";
import { commentsOf } from "#worker/comments/binned.ts";
import { COUNTED } from "#worker/desk/contract.ts";
import { jsonList, type Exporter } from "#worker/exports/noun-export.ts";
import { embeddedFileIdsOf } from "#worker/files/pictures/markdown-images.ts";
import { noun } from "#worker/nouns/noun.ts";
import { agendaOf } from "#worker/platform/data/agenda.ts";
import { redirects } from "#worker/platform/data/item-slugs.ts";
import type { Context } from "#worker/platform/context.ts";
import { renderMarkdown, type Pictures } from "#worker/platform/text/markdown.ts";

/** The columns derived from the content. */
export function renderedColumns({ content }: { content: string }, pictures: Pictures) {
  const { html, text } = renderMarkdown(content, pictures);
  return {
    contentHtml: html,
    contentText: text,
    embeddedFileIds: embeddedFileIdsOf(content),
    readingMinutes: readingMinutesOf(text),
  };
}

const FOLDER = "essays";

/** The categories, and the former addresses of articles. */
const listsForExport: Exporter = async function* (ctx) {
  yield jsonList(
    `${FOLDER}/categories.json`,
    await ctx.db.select().from(categories).orderBy(asc(categories.id)),
  );
  yield jsonList(`${FOLDER}/former-addresses.json`, await formerAddressesOf(ctx));
};

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

const articleBin: BinFacet = {
  kind: "article",
  parts: [
    {
      table: articles,
      binned: binnedArticles,
      of: (item) => sql`${articles.id} = cast(${item} as integer)`,
      // Deleting a category leaves its articles without one.
      restored: (row) => ({
        categoryId: sql`(select ${categories.id} from ${categories} where ${categories.id} = ${row.categoryId})`,
      }),
    },
    {
      table: formerSlugs,
      binned: binnedFormerSlugs,
      of: (item) => sql`${formerSlugs.articleId} = cast(${item} as integer)`,
    },
    {
      table: oldAddresses,
      binned: binnedOldAddresses,
      of: (item) => sql`${oldAddresses.articleId} = cast(${item} as integer)`,
      onTaken: "keep the other",
    },
    commentsOf("article"),
  ],
  reserved: ["slug", "guid"],
};

export const articleNoun = noun({
  table: articles,
  title: "title",
  files: { kind: "article", columns: ["imageFileId"], descriptions: { imageFileId: "imageAlt" } },
  text: { column: "content", derive: renderedColumns },
  changed: (ctx, which) => [changedArticles(ctx, which)],
  inFeed: (which) => publicationOf(sql`${which} and ${isPublished}`),
  versions: { kind: "article", valuesOf: toInput },
  bin: articleBin,
  exported: {
    folder: FOLDER,
    select: {
      category: sql`(select category.name from ${categories} as category where category.id = ${articles}.category_id)`,
    },
    pathOf: ({ slug }) => `/essays/${slug}`,
    facts: (row) => ({
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
    }),
    after: listsForExport,
  },
  desk() {
    const { draftCount, drafts, scheduled } = agendaOf(articles, COUNTED);
    return { articleDrafts: draftCount, articleDraftsLatest: drafts, articlesScheduled: scheduled };
  },
});
