import { elementsOfXml } from "#worker/imports/beginning-of-xml.ts";
import { BadFile } from "../zip.ts";

/** The text of a public document; null if its site has nothing there. */
export type FetchDocument = (url: string) => Promise<string | null>;

/** Posts of one answer of WordPress's API, the most that it gives. */
const A_PAGE = 100;
const MOST_PAGES = 200;

/**
 * The files of a site that has no export: all public posts and pages of WordPress's API, otherwise its feed, which a page
 * of it may name.
 * @throws {BadFile}
 */
export async function filesOfSite(
  typed: string,
  fetchDocument: FetchDocument,
  onProgress: (posts: number) => void,
): Promise<File[]> {
  const url = addressOf(typed);
  const api = await readApi(url, fetchDocument, onProgress);
  if (api.length > 0) return api;
  const text = await fetchDocument(url.href);
  if (text === null) throw new BadFile("There is nothing at this address.");
  if (isFeed(text)) return [new File([text], nameOf(url))];
  const named = feedIn(text, url);
  const feed = named === null ? null : await fetchDocument(named.href);
  if (named === null || feed === null || !isFeed(feed))
    throw new BadFile(
      "This isn’t a WordPress site, and its pages don’t link to a feed. Enter the address of its feed.",
    );
  return [new File([feed], nameOf(named))];
}

function addressOf(typed: string) {
  const text = typed.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/[.:]/.test(url.host))
    throw new BadFile("Enter the address of the site, such as https://blog.example.com.");
  return url;
}

/** A site in a folder has its API there. */
async function readApi(url: URL, fetchDocument: FetchDocument, onProgress: (posts: number) => void) {
  const folder = url.pathname.replace(/\/+$/, "");
  const bases = new Set([url.origin + folder, url.origin]);
  for (const base of bases) {
    const posts = await readPages(`${base}/wp-json/wp/v2/posts`, fetchDocument, onProgress);
    if (posts.length === 0) continue;
    const before = posts.reduce((sum, { count }) => sum + count, 0);
    const pages = await readPages(`${base}/wp-json/wp/v2/pages`, fetchDocument, (count) =>
      onProgress(before + count),
    );
    return [...posts, ...pages].map(({ text }, at) => new File([text], `${url.host}-${at + 1}.json`));
  }
  return [];
}

/** All pages of an answer. Where one fails, all of it does: a part would look like the whole. */
async function readPages(address: string, fetchDocument: FetchDocument, onProgress: (count: number) => void) {
  const pages: { text: string; count: number }[] = [];
  let count = 0;
  for (let page = 1; page <= MOST_PAGES; page++) {
    const text = await fetchDocument(`${address}?per_page=${A_PAGE}&page=${page}&_embed=1`);
    const found = text === null ? null : listIn(text);
    if (found === null) {
      if (page > 1 && text !== null)
        throw new BadFile("The site stopped answering part of the way. Try again later.");
      break;
    }
    if (found === 0) break;
    count += found;
    pages.push({ text: text!, count: found });
    onProgress(count);
    if (found < A_PAGE) break;
  }
  return pages;
}

/** The number of posts in a response; null if it is not one of WordPress's. */
function listIn(text: string) {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read.length : null;
  } catch {
    // A page of a site that has no such API.
    return null;
  }
}

const isFeed = (text: string) =>
  /^<(?:rss|feed|(?:\w+:)?RDF)[\s>]/.test(elementsOfXml(text.slice(0, 20_000)));

/** The feed that a page names for programs. */
function feedIn(html: string, base: URL) {
  for (const [tag] of html.matchAll(/<link\b[^>]{0,2000}>/gi)) {
    if (!/\btype\s*=\s*["']?application\/(?:rss|atom)\+xml/i.test(tag)) continue;
    if (!/\brel\s*=\s*["']?[^"'>]*\balternate\b/i.test(tag)) continue;
    const [, href = ""] = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(tag) ?? [];
    const url = URL.parse(href.replaceAll("&amp;", "&"), base.href);
    if (url && /^https?:$/.test(url.protocol)) return url;
  }
  return null;
}

const nameOf = ({ host, pathname }: URL) =>
  `${host}${pathname.replaceAll(/\W+/g, "-").replace(/-+$/, "")}.xml`;
