import { buildXml, CDATA, xmlText } from "#worker/platform/http/xml.ts";
import { byteLength, cutToBytes } from "#worker/platform/text/bytes.ts";
import { withoutBrokenWord } from "#worker/platform/text/excerpt.ts";

/** Parts of RSS feeds: well-formed XML of any text, and absolute addresses. */

/** The head of every feed: `public/feed.css` styles it for browsers. */
export const feedHead = {
  "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
  "?xml-stylesheet": { "@_type": "text/css", "@_href": "/feed.css" },
};

/** A feed of texts: `path` is its own address, `page` that of the page that lists them; without a date, `changedAt` is left out. */
type TextFeed = {
  title: string;
  description: string;
  language: string;
  page: string;
  path: string;
  changedAt?: Date;
  /** Further `atom:link`s. */
  links?: object[];
  items: object[];
};

/** RSS 2.0 with whole texts. */
export const renderTextFeed = (siteUrl: string, feed: TextFeed) =>
  buildXml({
    ...feedHead,
    rss: {
      "@_version": "2.0",
      "@_xmlns:atom": "http://www.w3.org/2005/Atom",
      "@_xmlns:content": "http://purl.org/rss/1.0/modules/content/",
      "@_xmlns:dc": "http://purl.org/dc/elements/1.1/",
      channel: {
        title: feed.title,
        link: siteUrl + feed.page,
        description: htmlContent(htmlOf(feed.description)),
        language: feed.language,
        generator: "Rostrum",
        lastBuildDate: feed.changedAt && rfc2822(feed.changedAt),
        "atom:link": [
          { "@_rel": "self", "@_href": siteUrl + feed.path, "@_type": "application/rss+xml" },
          ...(feed.links ?? []),
        ],
        item: feed.items,
      },
    },
  });

/** HTML as an element's content; undefined, and so no element, if empty. */
export const htmlContent = (html: string) => (html === "" ? undefined : { [CDATA]: xmlText(html) });

/** For text between tags; quotes stay. */
export const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Plain text as HTML, since readers interpret a description as HTML; keeps paragraphs and line breaks. Cut after a word
 * if the HTML is longer than `max` bytes.
 */
export function htmlOf(text: string, max = Infinity): string {
  for (let room = max; ;) {
    const html = paragraphsOf(shortened(text, room));
    const excess = byteLength(html) - max;
    if (excess <= 0) return html;
    room -= excess;
  }
}

function paragraphsOf(text: string) {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .map((paragraph) => escapeText(paragraph.trim()).replaceAll("\n", "<br>"));
  const isPlain = paragraphs.length === 1 && !paragraphs[0]?.includes("<br>");
  return isPlain ? paragraphs.join("") : paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("");
}

/** Cuts a text that is too long after a word and adds an ellipsis (three bytes). */
function shortened(text: string, max: number) {
  if (byteLength(text) <= max) return text;
  return `${withoutBrokenWord(cutToBytes(text, Math.max(0, max - 3)))}…`;
}

/** Leaves out an element without content. */
export const nonEmpty = (text: string) => (text === "" ? undefined : text);

export const rfc2822 = (date: Date) => date.toUTCString().replace("GMT", "+0000");

/** The site's renderer puts every attribute in double quotes, and text has no bare `<`. */
const LINK_ATTRIBUTE = /(<(?:a|img) (?:[\w-]+="[^"]*" )*?(?:href|src)=")([^"]*)"/g;

/** Links and pictures of rendered HTML as full addresses. */
export const absoluteLinks = (html: string, base: string) =>
  html
    .replace(IMAGE, (_match, attributes: string) => `<img${attributes.replace(PAGE_ATTRIBUTES, "")}>`)
    .replace(LINK_ATTRIBUTE, (_match, before: string, url: string) => {
      const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url);
      return `${before}${isAbsolute ? url : (URL.parse(url, base)?.href ?? url)}"`;
    });

const IMAGE = /<img((?: [\w-]+="[^"]*")*)>/g;
/** A picture's attributes for the site's own pages, useless in an app. */
const PAGE_ATTRIBUTES = / (?:srcset|sizes|loading|decoding)="[^"]*"/g;
