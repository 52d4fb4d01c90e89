import type { Article as ArticleData, WithContext } from "schema-dts";
import { crumbsOf } from "#worker/addresses.ts";
import type { Article, ArticleSummary } from "#worker/articles/contract.ts";
import type { CommentList } from "#worker/comments/contract.ts";
import type { Picture } from "#worker/files/contract.ts";
import { describePage, type LaterPage, type PageMetadata } from "#worker/discovery/metadata.ts";
import { discussion } from "#worker/discovery/structured-data.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";

/** The conversations page: articles of all categories. */
export const describeConversations = (
  ctx: Context,
  site: Site,
  articles: ArticleSummary[],
  laterPage: LaterPage,
) =>
  describePage(ctx, site, {
    title: "Conversations",
    path: "/conversations",
    laterPage,
    description: `Articles and essays by ${site.name}: the newest writing, from here and from LinkedIn.`,
    ...pictureOf(articles[0]),
  });

/** The list of essays. */
export const describeEssays = (ctx: Context, site: Site, articles: ArticleSummary[], laterPage: LaterPage) =>
  describePage(ctx, site, {
    title: "Essays",
    path: "/essays",
    laterPage,
    description: `Essays by ${site.name}. ${site.description}`.trim(),
    ...pictureOf(articles[0]),
  });

/** An article's permanent page. */
export function describeEssay(
  ctx: Context,
  site: Site,
  author: string,
  article: Article,
  comments: CommentList | null,
): PageMetadata {
  const path = `/essays/${article.slug}`;
  return [
    ...describePage(ctx, site, {
      title: article.metaTitle || article.title,
      description: article.metaDescription || article.excerpt,
      path,
      ...pictureOf(article),
      drawing: { seed: article.id },
      type: "article",
      author,
      keywords: keywordsOf(article),
      publishedTime: article.publishedAt,
      modifiedTime: modifiedTimeOf(article),
      crumbs: crumbsOf(path, article.title),
      counted: `article ${article.id}`,
      structuredData: [articleData(ctx.config.siteUrl, site, author, article, comments)],
    }),
    ...(article.category ? [{ property: "article:section", content: article.category.name }] : []),
    ...article.tags.map((tag) => ({ property: "article:tag", content: tag })),
  ];
}

const pictureOf = (article: ArticleSummary | undefined) => ({
  image: article?.picture?.src,
  imageAlt: article?.picture?.alt,
});

function keywordsOf({ metaKeywords, tags }: Article) {
  const keywords = metaKeywords.split(",").map((word) => word.trim());
  return metaKeywords === "" ? tags : keywords.filter((word) => word !== "");
}

/** An article's date may be later than its last change. */
const modifiedTimeOf = ({ publishedAt, updatedAt }: Article) => Math.max(publishedAt, updatedAt);

/** A plain address if there is no caption. */
const pictureData = (siteUrl: string, { src }: Picture, caption: string) =>
  caption === "" ? siteUrl + src : ({ "@type": "ImageObject", url: siteUrl + src, caption } as const);

const articleData = (
  siteUrl: string,
  site: Site,
  author: string,
  article: Article,
  comments: CommentList | null,
) => {
  const url = `${siteUrl}/essays/${article.slug}`;
  return {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: article.title,
    description: article.excerpt || undefined,
    url,
    mainEntityOfPage: url,
    datePublished: new Date(article.publishedAt).toISOString(),
    dateModified: new Date(modifiedTimeOf(article)).toISOString(),
    author: { "@type": "Person", name: author, url: `${siteUrl}/about` },
    publisher: { "@type": "Organization", name: site.name, url: `${siteUrl}/` },
    image: article.picture ? pictureData(siteUrl, article.picture, article.imageCaption) : undefined,
    articleSection: article.category?.name,
    keywords: article.tags.length > 0 ? article.tags : undefined,
    timeRequired: article.readingMinutes > 0 ? `PT${article.readingMinutes}M` : undefined,
    ...(article.sourceUrl && { isBasedOn: article.sourceUrl }),
    ...discussion(url, comments),
  } satisfies WithContext<ArticleData>;
};
