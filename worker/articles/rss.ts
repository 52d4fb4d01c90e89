import type { FeedEssay } from "#worker/articles/feed-queries.ts";
import {
  absoluteLinks,
  escapeText,
  feedHead,
  htmlContent,
  htmlOf,
  rfc2822,
} from "#worker/platform/http/rss.ts";
import { buildXml } from "#worker/platform/http/xml.ts";
import { hubLinks } from "#worker/websub/hub.ts";

export const ESSAYS_FEED_PATH = "/rss/essays.xml";

type Channel = { title: string; description: string; language: string; author: string; hubUrl: string };

/** RSS 2.0 with each essay's whole text. */
export const renderEssayFeed = (siteUrl: string, channel: Channel, essays: FeedEssay[]) =>
  buildXml({
    ...feedHead,
    rss: {
      "@_version": "2.0",
      "@_xmlns:atom": "http://www.w3.org/2005/Atom",
      "@_xmlns:content": "http://purl.org/rss/1.0/modules/content/",
      "@_xmlns:dc": "http://purl.org/dc/elements/1.1/",
      channel: {
        ...channelOf(siteUrl, channel, essays),
        item: essays.map((essay) => itemOf(siteUrl, channel.author, essay)),
      },
    },
  });

function channelOf(siteUrl: string, { title, description, language, hubUrl }: Channel, essays: FeedEssay[]) {
  const changes = essays.map(({ updatedAt }) => updatedAt.getTime());
  return {
    title: `${title}: essays`,
    link: `${siteUrl}/essays`,
    // RSS requires one.
    description: htmlContent(htmlOf(description || `Essays by ${title}`)),
    language,
    generator: "Rostrum",
    lastBuildDate: changes.length > 0 ? rfc2822(new Date(Math.max(...changes))) : undefined,
    "atom:link": [
      { "@_rel": "self", "@_href": siteUrl + ESSAYS_FEED_PATH, "@_type": "application/rss+xml" },
      ...hubLinks(hubUrl),
    ],
  };
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
