import { articles, binnedArticles, formerSlugs } from "#worker/articles/table.ts";
import { itemSlugs } from "#worker/revisions/item-slugs.ts";

export const articleSlugs = itemSlugs("article", {
  id: articles.id,
  slug: articles.slug,
  status: articles.status,
  updatedAt: articles.updatedAt,
  reserved: binnedArticles.slug,
  former: { slug: formerSlugs.slug, owner: formerSlugs.articleId, leftAt: formerSlugs.leftAt },
});
