import type { FeedEssay } from "#worker/articles/feed-queries.ts";
import {
  absoluteLinks,
  escapeText,
  htmlContent,
  htmlOf,
  renderTextFeed,
  rfc2822,
} from "#worker/platform/http/rss.ts";
import { hubLinks } from "#worker/websub/hub.ts";

export const ESSAYS_FEED_PATH = "/rss/essays.xml";

type Channel = { title: string; description: string; language: string; author: string; hubUrl: string };

/** The feed with each essay's whole text. */
export function renderEssayFeed(
  siteUrl: string,
  { title, description, language, author, hubUrl }: Channel,
  essays: FeedEssay[],
) {
  const changes = essays.map(({ updatedAt }) => updatedAt.getTime());
  return renderTextFeed(siteUrl, {
    title: `${title}: essays`,
    // RSS requires one.
    description: description || `Essays by ${title}`,
    language,
    page: "/essays",
    path: ESSAYS_FEED_PATH,
    changedAt: changes.length > 0 ? new Date(Math.max(...changes)) : undefined,
    links: hubLinks(hubUrl),
    items: essays.map((essay) => itemOf(siteUrl, author, essay)),
  });
}

function itemOf(siteUrl: string, author: string, essay: FeedEssay) {
  const link = `${siteUrl}/essays/${essay.slug}`;
  return {
    title: essay.title,
    link,
    guid: { "@_isPermaLink": "false", "#text": essay.guid },
    pubDate: essay.publishedAt ? rfc2822(essay.publishedAt) : undefined,
    "dc:creator": author,
    category: [...new Set([essay.category ?? "", ...essay.tags])].filter((name) => name !== ""),
    description: htmlContent(htmlOf(essay.excerpt)),
    "content:encoded": htmlContent(absoluteLinks(fullText(essay), link)),
  };
}

/** The picture and the text: feed readers show nothing else of the page. */
const fullText = ({ picture, contentHtml }: FeedEssay) =>
  picture
    ? `<p><img src="${picture.src}" alt="${escapeText(picture.alt).replaceAll('"', "&quot;")}"></p>\n${contentHtml}`
    : contentHtml;
